import { sandboxDone, sandboxListingInput } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { controlSandbox, sellerPath, skuOfListing } from "./sandbox-control.ts";

/** What the marketplace does of itself with a test account's listing: it ends it, or somebody lists it again there. */
function listingControl(what: "end" | "relist") {
  return session()
    .input(sandboxListingInput)
    .output(sandboxDone)
    .mutation(async ({ ctx: { services, access }, input: { listing_id: id } }) => {
      const { sku } = await skuOfListing(services, access, id);
      const path = `${sellerPath(access)}/listings/${encodeURIComponent(sku)}/${what}`;
      await controlSandbox(services, access, path);
      return { order_id: null };
    });
}

export const sandboxEndProcedure = listingControl("end");
export const sandboxRelistProcedure = listingControl("relist");
