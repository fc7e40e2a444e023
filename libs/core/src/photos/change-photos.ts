import { maxPhotosPerCard, VaultError } from "@cardvault/contract";
import type { Card } from "@cardvault/contract";
import { changeAccount, getCard } from "@cardvault/db";
import type { AccountUnit, CardPhoto } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";

export type PhotoNeeds = Pick<Services, "db" | "clock" | "photoUrls">;

/**
 * The frame of every change of a card's photos: `change` writes photos and answers how they stand after
 * it, or null where nothing has changed. The card then is stamped, and moves as its listing photos say.
 * @throws VaultError `card_not_found`; `conflict` for more photos than a card may have
 */
export function changePhotos(
  { db, clock, photoUrls }: PhotoNeeds,
  access: Access,
  cardId: string,
  change: (unit: AccountUnit, photos: CardPhoto[]) => Promise<Pick<CardPhoto, "side">[] | null>,
): Promise<Card> {
  const { accountId } = access;
  if (!isId("card", cardId)) throw new VaultError("card_not_found");
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const before = await unit.cards.get(cardId);
    const after = await change(unit, await unit.photos.list(cardId));
    if (after !== null) {
      if (after.length > maxPhotosPerCard) {
        throw new VaultError("conflict", {
          message: `A card may have ${maxPhotosPerCard} photos.`,
        });
      }
      const count = after.filter(({ side }) => side === "listing").length;
      const outcome = decideCard(before, { type: "count_listing_photos", count }, unit.stamp);
      unit.cards.saveWithPhotos(outcome.state);
      await writeOutcome(db, unit, access, outcome);
      await unit.tx.em.flush();
    }
    return getCard(unit.tx, accountId, cardId, photoUrls.urlOf);
  });
}
