import { readBulkListings } from "@cardvault/db";
import type { AccountUnit, Database } from "@cardvault/db";
import type { CardState } from "@cardvault/domain";
import type { CardStep, CardWork } from "../../bulk/card-work.ts";
import type { Actor } from "../../context.ts";
import { askToCancel } from "../cancel-publishing.ts";
import { askForWithdrawal } from "../listing-jobs.ts";

/** Withdraws the live listing of each card, and cancels what is publishing. */
export function endWork(db: Database, actor: Actor): CardWork {
  return { begin: (unit) => Promise.resolve((card) => endOpen(db, unit, actor, card)) };
}

/** Takes back what a job has published: its listings are ended, later ones of the cards are let be. */
export function endPublishedWork(db: Database, actor: Actor, publishingJobId: string): CardWork {
  return {
    begin: async (unit, cardIds) => {
      const { tx, accountId } = unit;
      const published = await readBulkListings(tx, accountId, publishingJobId, cardIds);
      return (card) => {
        const isOfJob = card.openListing !== null && published.get(card.id) === card.openListing.id;
        if (isOfJob) return endOpen(db, unit, actor, card);
        const message = "The listing that was made is not open any more.";
        return { type: "skip", remark: { code: "changed_since", message } };
      };
    },
  };
}

function endOpen(db: Database, unit: AccountUnit, actor: Actor, card: CardState): CardStep {
  const { openListing } = card;
  if (openListing === null) {
    return { type: "skip", remark: { code: "not_listed", message: "It has no open listing." } };
  }
  const { id: listingId, status } = openListing;
  return {
    type: "beside",
    write: () =>
      status === "publishing"
        ? askToCancel(db, unit, actor, listingId)
        : askForWithdrawal(db, unit, actor, { listingId, isPublishing: false }, "withdrawn"),
  };
}
