import { listingDetail, listingIdInput, VaultError } from "@cardvault/contract";
import type { ListingDetail } from "@cardvault/contract";
import { findPublication, getListing } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { readListingDetail } from "./listing-detail.ts";
import { publishCard } from "./publish-card.ts";

/**
 * Publishes the card of a failed listing again, as it was asked for then: a new listing, which is answered.
 * @throws VaultError `listing_not_found`; `invalid_transition` for one that has not failed; and what
 * publishing throws
 */
async function retryPublishing(
  services: Services,
  access: Access,
  id: string,
): Promise<ListingDetail> {
  const { db } = services;
  const { accountId } = access;
  const listing = await getListing(db, accountId, id);
  if (listing.status !== "failed") {
    const message = `Only a failed listing is published again. It is ${listing.status}.`;
    throw new VaultError("invalid_transition", { message });
  }
  const publication = await findPublication(db, accountId, id);
  const again = await publishCard(services, access, listing.card_id, publication?.given ?? {});
  return readListingDetail(db, accountId, again.id);
}

export const retryPublishingProcedure = session()
  .input(listingIdInput)
  .output(listingDetail)
  .mutation(({ ctx, input }) => retryPublishing(ctx.services, ctx.access, input.id));
