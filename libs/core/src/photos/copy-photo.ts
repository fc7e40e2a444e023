import { card, copyPhotoInput, VaultError } from "@cardvault/contract";
import type { Card, CopyPhoto } from "@cardvault/contract";
import { newId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import { changePhotos } from "./change-photos.ts";
import type { PhotoNeeds } from "./change-photos.ts";

/**
 * Shows a picture of the card once more on another side, as the scan of the front for the listing. The
 * file is not stored twice. One that stands on that side already changes nothing.
 * @throws VaultError `card_not_found`; `not_found` for a photo that the card has not; `conflict` for too many
 */
function copyPhoto(
  needs: PhotoNeeds,
  access: Access,
  { card_id: cardId, photo_id: photoId, side }: CopyPhoto,
): Promise<Card> {
  return changePhotos(needs, access, cardId, async (unit, photos) => {
    const original = photos.find(({ id }) => id === photoId);
    if (original === undefined) throw new VaultError("not_found");
    const hash = Buffer.from(original.contentHash);
    const isThere = photos.some((one) => one.side === side && hash.equals(one.contentHash));
    if (isThere) return null;
    const position = (photos.at(-1)?.position ?? -1) + 1;
    await unit.photos.add([{ ...original, id: newId("img"), cardId, side, position }]);
    return [...photos, { side }];
  });
}

export const copyPhotoProcedure = session()
  .input(copyPhotoInput)
  .output(card)
  .mutation(({ ctx, input }) => copyPhoto(ctx.services, ctx.access, input));
