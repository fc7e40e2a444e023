import { readSeenEnded } from "@cardvault/db";
import type { MarketplaceFailure } from "@cardvault/providers";
import { openMarketplace } from "./open-marketplace.ts";
import type { ClosedMarketplace, MarketplaceNeeds } from "./open-marketplace.ts";
import { lookAtOrders } from "./orders.ts";
import { closeEnded } from "./sync-close.ts";
import { compareOffers } from "./sync-offers.ts";

/** What a round came to. */
export type SyncRound =
  | {
      readonly ok: true;
      readonly orders: number;
      readonly compared: number;
      readonly closed: number;
    }
  | {
      readonly ok: false;
      readonly code: MarketplaceFailure["code"] | ClosedMarketplace["code"];
      readonly retryAfterMs: number | null;
    };

/**
 * One round of an account: the orders, then the offers, then what has ended. A listing may show as live for minutes
 * after its sale, and may end by one, so orders come first, and are read once more before anything is closed.
 * Suspended accounts are read as others are.
 * @param renew holds the round for longer; false where it is another's by now
 */
export async function syncAccount(
  needs: MarketplaceNeeds,
  accountId: string,
  renew: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<SyncRound> {
  const opened = await openMarketplace(needs, accountId);
  if (!opened.isOpen) return { ok: false, code: opened.code, retryAfterMs: null };
  const first = await lookAtOrders(needs, accountId, opened, renew);
  if (!first.ok) return failed(first.failure);
  const offers = await compareOffers(needs, accountId, opened, renew);
  if (!offers.ok) return failed(offers.failure);
  let ordersReadAt = first.readAt;
  let orders = first.taken;
  const [waiting] = await readSeenEnded(needs.db, accountId, new Date(8.64e15), 1);
  if (waiting !== undefined) {
    const again = await lookAtOrders(needs, accountId, opened, renew);
    if (!again.ok) return failed(again.failure);
    ordersReadAt = again.readAt;
    orders += again.taken;
  }
  const closed = await closeEnded(needs, accountId, ordersReadAt);
  return { ok: true, orders, compared: offers.compared, closed };
}

function failed({ code, retryAfterMs }: MarketplaceFailure): SyncRound {
  return { ok: false, code, retryAfterMs };
}
