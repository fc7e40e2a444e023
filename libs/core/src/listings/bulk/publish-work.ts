import type { CardWork } from "../../bulk/card-work.ts";
import type { Actor } from "../../context.ts";
import type { MarketplaceNeeds } from "../../marketplace/open-marketplace.ts";
import { readSellerFacts } from "../../marketplace/publish/seller-facts.ts";
import type { SellerFacts } from "../../marketplace/publish/seller-facts.ts";
import { decidePublishing, writePublishing } from "../begin-publication.ts";
import { planListing } from "../plan-listing.ts";
import { readSurroundings } from "../surroundings.ts";

/**
 * Begins to publish each card by the rules of a single one: a card that fails some is refused with all of
 * them, and one that is listed already is left alone. Each publication is a job of its own from then on.
 */
export function publishWork(
  needs: MarketplaceNeeds,
  { accountId, actor, jobId }: { accountId: string; actor: Actor; jobId: string },
): CardWork {
  return {
    prepare: () => readSellerFacts(needs, accountId),
    begin: async (unit, cardIds, prepared) => {
      const seller = prepared as SellerFacts;
      const surroundings = await readSurroundings(unit.tx, accountId, cardIds);
      return (card) => {
        if (card.openListing !== null) {
          const message = `It is ${card.openListing.status} already.`;
          return { type: "skip", remark: { code: "already_listed", message } };
        }
        const plan = planListing(card, {}, surroundings(card), seller);
        const publishing = { card, given: {}, plan };
        const begun = decidePublishing(publishing, unit.account.currency, unit.stamp);
        const also = { given: {}, now: needs.clock.now(), bulkJobId: jobId };
        return {
          type: "apply",
          outcome: begun.outcome,
          beside: () => writePublishing(needs.db, unit, actor, begun, also),
        };
      };
    },
  };
}
