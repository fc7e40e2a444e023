import { card, removePhotosInput, VaultError } from "@cardvault/contract";
import type { Card, RemovePhotos } from "@cardvault/contract";
import { loosenPictures } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import { changePhotos } from "./change-photos.ts";
import type { PhotoNeeds } from "./change-photos.ts";

/**
 * Removes photos of a card. Their files are kept for a while, so that it can be undone.
 * @throws VaultError `card_not_found`; `not_found` for a photo that the card has not
 */
function removePhotos(
  needs: PhotoNeeds,
  access: Access,
  { card_id: cardId, photo_ids: ids }: RemovePhotos,
): Promise<Card> {
  return changePhotos(needs, access, cardId, async (unit, photos) => {
    const gone = new Set(ids);
    const removed = photos.filter(({ id }) => gone.has(id));
    if (removed.length !== gone.size) throw new VaultError("not_found");
    await unit.photos.remove(cardId, [...gone]);
    const hashes = removed.map(({ contentHash }) => contentHash);
    await loosenPictures(unit.tx, access.accountId, hashes, needs.clock.now());
    return photos.filter(({ id }) => !gone.has(id));
  });
}

export const removePhotosProcedure = session()
  .input(removePhotosInput)
  .output(card)
  .mutation(({ ctx, input }) => removePhotos(ctx.services, ctx.access, input));
