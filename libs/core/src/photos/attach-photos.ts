import { attachPhotosInput, card, VaultError } from "@cardvault/contract";
import type { AttachPhotos, Card } from "@cardvault/contract";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import { changePhotos } from "./change-photos.ts";
import type { PhotoNeeds } from "./change-photos.ts";

/**
 * Gives uploaded photos to a card, after those that it has. Photos that it has already stay as they are.
 * @throws VaultError `card_not_found`; `not_found` for a photo that is not there or another card's;
 * `conflict` for too many
 */
function attachPhotos(
  needs: PhotoNeeds,
  access: Access,
  { card_id: cardId, photos: given }: AttachPhotos,
): Promise<Card> {
  return changePhotos(needs, access, cardId, async (unit, photos) => {
    const known = new Set(photos.map(({ id }) => id));
    const next = (photos.at(-1)?.position ?? -1) + 1;
    const added = given
      .filter(({ photo_id }) => !known.has(photo_id))
      .map(({ photo_id: id, side }, at) => ({ id, cardId, side, position: next + at }));
    if (added.length === 0) return null;
    const attached = await unit.photos.attach(added);
    if (added.some(({ id }) => !attached.has(id))) throw new VaultError("not_found");
    return [...photos, ...added];
  });
}

export const attachPhotosProcedure = session()
  .input(attachPhotosInput)
  .output(card)
  .mutation(({ ctx, input }) => attachPhotos(ctx.services, ctx.access, input));
