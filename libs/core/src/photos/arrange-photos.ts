import { arrangePhotosInput, card, VaultError } from "@cardvault/contract";
import type { ArrangePhotos, Card } from "@cardvault/contract";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import { changePhotos } from "./change-photos.ts";
import type { PhotoNeeds } from "./change-photos.ts";

/**
 * Puts all photos of a card into an order, each with its side.
 * @throws VaultError `card_not_found`; `conflict` where the photos are not exactly those of the card:
 * somebody has added or removed one meanwhile
 */
function arrangePhotos(
  needs: PhotoNeeds,
  access: Access,
  { card_id: cardId, photos: given }: ArrangePhotos,
): Promise<Card> {
  return changePhotos(needs, access, cardId, async (unit, photos) => {
    const wanted = given.map(({ photo_id: id, side }, position) => ({ id, side, position }));
    const isSame = (ids: readonly string[]): boolean =>
      new Set(ids).size === photos.length &&
      ids.length === photos.length &&
      photos.every(({ id }) => ids.includes(id));
    if (!isSame(wanted.map(({ id }) => id))) {
      throw new VaultError("conflict", {
        message: "The photos of the card have changed meanwhile: look at them again.",
      });
    }
    const stays = wanted.every(
      ({ id, side }, at) => photos[at]?.id === id && photos[at].side === side,
    );
    if (stays) return null;
    await unit.photos.arrange(cardId, photos, wanted);
    return wanted;
  });
}

export const arrangePhotosProcedure = session()
  .input(arrangePhotosInput)
  .output(card)
  .mutation(({ ctx, input }) => arrangePhotos(ctx.services, ctx.access, input));
