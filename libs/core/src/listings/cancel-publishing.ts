import { listingDetail, listingIdInput } from "@cardvault/contract";
import type { ListingDetail } from "@cardvault/contract";
import { findPublication, workChannel, writePublication } from "@cardvault/db";
import type { AccountUnit, Database } from "@cardvault/db";
import type { Access, Actor } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { changeOwnListing, requireStatus } from "./listing-detail.ts";
import { enqueueListingJob } from "./listing-jobs.ts";

/**
 * Asks for publishing to be given up. It fails once the marketplace shows that nothing of it is published;
 * where it is live by then, it goes live and is withdrawn. Asking again changes nothing.
 * @throws VaultError `listing_not_found`; `invalid_transition` for one that is not publishing
 */
function cancelPublishing(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
): Promise<ListingDetail> {
  return changeOwnListing(services, access, id, async (unit, listing) => {
    requireStatus(listing, "publishing", "Only what is publishing can be cancelled.");
    await askToCancel(services.db, unit, access.actor, id);
  });
}

/** A job of its own looks at once: the one that publishes may be waiting for half an hour. */
export async function askToCancel(
  db: Database,
  unit: AccountUnit,
  actor: Actor,
  listingId: string,
): Promise<void> {
  const { tx, accountId, stamp } = unit;
  const publication = await findPublication(tx, accountId, listingId);
  if (publication === null || publication.cancelRequestedAt !== null) return;
  await writePublication(tx, accountId, listingId, { cancelRequestedAt: stamp });
  await enqueueListingJob(unit, "publish_listing", listingId, actor, stamp);
  tx.afterCommit(() => db.notify(workChannel));
}

export const cancelPublishingProcedure = session()
  .input(listingIdInput)
  .output(listingDetail)
  .mutation(({ ctx, input }) => cancelPublishing(ctx.services, ctx.access, input.id));
