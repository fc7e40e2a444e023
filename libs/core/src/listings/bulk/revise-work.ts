import type { RevisionPart } from "@cardvault/contract";
import type { CardWork } from "../../bulk/card-work.ts";
import type { Actor } from "../../context.ts";
import type { MarketplaceNeeds } from "../../marketplace/open-marketplace.ts";
import { readSellerFacts } from "../../marketplace/publish/seller-facts.ts";
import type { SellerFacts } from "../../marketplace/publish/seller-facts.ts";
import { askForRevision } from "../listing-jobs.ts";
import { wantedOf } from "../revise-listing.ts";
import { readSurroundings } from "../surroundings.ts";

/** Gives the live listing of each card anew what the card has now. */
export function reviseWork(
  needs: MarketplaceNeeds,
  { accountId, actor }: { accountId: string; actor: Actor },
  refresh: RevisionPart[],
): CardWork {
  return {
    prepare: () => readSellerFacts(needs, accountId),
    begin: async (unit, cardIds, prepared) => {
      const seller = prepared as SellerFacts;
      const read = await readSurroundings(unit.tx, accountId, cardIds);
      return async (card) => {
        const { openListing } = card;
        if (openListing?.status !== "live") {
          const message = "It has no live listing.";
          return { type: "skip", remark: { code: "not_listed", message } };
        }
        const listing = await unit.listings.get(openListing.id);
        const revised = { listing, card, surroundings: read(card), seller };
        const wanted = wantedOf({ refresh }, revised);
        const place = { listingId: listing.id, isPublishing: false };
        return {
          type: "beside",
          write: () => askForRevision(needs.db, unit, actor, place, wanted),
        };
      };
    },
  };
}
