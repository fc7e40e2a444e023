import { listUntendedListings, workChannel } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import { enqueueListingJob } from "./listing-jobs.ts";

const atOnce = 200;
/** What is committed at this moment, and a job that has just ended, are let be. */
const settledMs = 60_000;
const system = { kind: "system", id: null } as const;

/**
 * Gives listings with something to do a job again where theirs was given up, so that none is publishing for
 * ever and no copy that is gone stays for sale. Two rounds at once do no harm: what a second job finds done
 * it leaves.
 */
export async function tendListings({
  db,
  clock,
  logger,
}: {
  db: Database;
  clock: Clock;
  logger: Logger;
}): Promise<void> {
  const now = clock.now();
  const untended = await listUntendedListings(db, new Date(now.getTime() - settledMs), atOnce);
  for (const { accountId, listingId, kind } of untended) {
    logger.warn({ accountId, listingId, kind }, "a listing without a job is given one again");
    await db.transaction(async (tx) => {
      await enqueueListingJob({ tx, accountId }, kind, listingId, system, now);
      tx.afterCommit(() => db.notify(workChannel));
    });
  }
}
