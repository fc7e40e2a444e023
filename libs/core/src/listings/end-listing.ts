import { listingDetail, listingIdInput } from "@cardvault/contract";
import type { ListingDetail } from "@cardvault/contract";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { changeOwnListing, requireStatus } from "./listing-detail.ts";
import { askForWithdrawal } from "./listing-jobs.ts";

/**
 * Asks for a live listing to be withdrawn. It is live until the marketplace has ended it and the orders were
 * looked at once more. Asking again changes nothing.
 * @throws VaultError `listing_not_found`; `invalid_transition` for one that is not live
 */
function endListing(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
): Promise<ListingDetail> {
  return changeOwnListing(services, access, id, async (unit, listing) => {
    requireStatus(listing, "live", "Only a live listing can be ended.");
    const place = { listingId: id, isPublishing: false };
    await askForWithdrawal(services.db, unit, access.actor, place, "withdrawn");
  });
}

export const endListingProcedure = session()
  .input(listingIdInput)
  .output(listingDetail)
  .mutation(({ ctx, input }) => endListing(ctx.services, ctx.access, input.id));
