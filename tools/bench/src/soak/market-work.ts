import type { Listing } from "@cardvault/contract";
import type { BenchSession } from "../stack/session.ts";
import { until } from "./dealer-work.ts";

/** Listings by what they came to be, each of which is an event. */
export interface MarketCounts {
  readonly published: string[];
  readonly sold: string[];
  readonly ended: string[];
}

/** A card published; then it is bought, taken back by the dealer, or stays live. */
export async function publishOne(
  session: BenchSession,
  { published, sold, ended }: MarketCounts,
  cardId: string,
  turn: number,
): Promise<void> {
  const { id, quantity } = await session.mutate<Listing>("listings.publish", { cardId });
  await untilListing(session, id, "live");
  published.push(id);
  if (turn % 3 === 0) {
    await session.mutate("sandbox.sell", { listing_id: id, quantity });
    await untilListing(session, id, "sold");
    sold.push(id);
  } else if (turn % 3 === 1) {
    await session.mutate("listings.end", { id });
    await untilListing(session, id, "ended");
    ended.push(id);
  }
}

function untilListing(
  session: BenchSession,
  id: string,
  wanted: Listing["status"],
): Promise<unknown> {
  return until(
    `the listing to be ${wanted}`,
    async () => {
      const now = await session.query<{ listing: Listing }>("listings.get", { id });
      const { status, error } = now.listing;
      if (status === "failed") throw new Error(`Publishing failed: ${JSON.stringify(error)}`);
      return status;
    },
    (status) => status === wanted,
  );
}
