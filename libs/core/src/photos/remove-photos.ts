import { removedPhotos, removePhotosInput, VaultError } from "@cardvault/contract";
import type { RemovedPhotos, RemovePhotos } from "@cardvault/contract";
import { insertLoosePhotos } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import { changePhotos } from "./change-photos.ts";
import type { PhotoNeeds } from "./change-photos.ts";

/**
 * Removes photos of a card. Each stays as an upload that is given to no card: a day long it is given back by
 * `photos.attach`, then it is swept like any other.
 * @throws VaultError `card_not_found`; `not_found` for a photo that the card has not
 */
async function removePhotos(
  needs: PhotoNeeds,
  access: Access,
  { card_id: cardId, photo_ids: ids }: RemovePhotos,
): Promise<RemovedPhotos> {
  let removed: RemovedPhotos["removed"] = [];
  const card = await changePhotos(needs, access, cardId, async (unit, photos) => {
    const gone = new Set(ids);
    const going = photos.filter(({ id }) => gone.has(id));
    if (going.length !== gone.size) throw new VaultError("not_found");
    await unit.photos.remove(cardId, [...gone]);
    removed = [];
    for (const { side, ...photo } of going) {
      const photoId = newId("img");
      const picture = { ...photo, accountId: access.accountId };
      await insertLoosePhotos(unit.tx, picture, [photoId], needs.clock.now());
      removed.push({ photo_id: photoId, side });
    }
    return photos.filter(({ id }) => !gone.has(id));
  });
  return { card, removed };
}

export const removePhotosProcedure = session()
  .input(removePhotosInput)
  .output(removedPhotos)
  .mutation(({ ctx, input }) => removePhotos(ctx.services, ctx.access, input));
