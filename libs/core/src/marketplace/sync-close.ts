import { changeAccount, clearDifferences, readSeenEnded } from "@cardvault/db";
import { decideListingAndCard } from "@cardvault/domain";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { OrderNeeds } from "./orders.ts";
import { byMarketplace } from "./sync-take-line.ts";

/** Listings of one commit. */
const listingsAtOnce = 20;

/**
 * Closes the listings that were seen to be live no more, once the orders were looked at after that: what was sold
 * meanwhile has been taken by then, so each closes by its own rule, sold or ended.
 * @param ordersReadAt when the last look at the orders began
 * @returns how many were closed
 */
export async function closeEnded(
  { db, clock }: OrderNeeds,
  accountId: string,
  ordersReadAt: Date,
): Promise<number> {
  let closed = 0;
  for (;;) {
    const some = await readSeenEnded(db, accountId, ordersReadAt, listingsAtOnce);
    if (some.length === 0) return closed;
    await changeAccount(db, { accountId, clock, by: byMarketplace }, async (unit) => {
      for (const { id, cardId, seenEndedAt, endReason } of some) {
        const listing = await unit.listings.get(id);
        // Closed meanwhile, by an order that another process took.
        if (listing.status !== "live") continue;
        const card = await unit.cards.get(cardId);
        const command = { type: "close", reason: endReason, seenEndedAt, ordersReadAt } as const;
        const outcome = decideListingAndCard(listing, card, command, unit.stamp);
        unit.listings.save(outcome.listing.state);
        unit.cards.save(outcome.card.state);
        await writeOutcome(db, unit, byMarketplace, outcome.card);
      }
      await unit.tx.em.flush();
      await clearDifferences(
        unit.tx,
        accountId,
        some.map(({ id }) => id),
      );
    });
    closed += some.length;
  }
}
