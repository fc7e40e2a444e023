import { sandboxDone, sandboxSellInput } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { controlSandbox, sellerPath, skuOfListing } from "./sandbox-control.ts";

/** Somebody buys copies of a test account's listing. */
export const sandboxSellProcedure = session()
  .input(sandboxSellInput)
  .output(sandboxDone)
  .mutation(async ({ ctx: { services, access }, input: { listing_id: id, quantity } }) => {
    const { sku, externalListingId } = await skuOfListing(services, access, id);
    const lines = [{ sku, quantity, listing_id: externalListingId }];
    const path = `${sellerPath(access)}/orders`;
    const { order_id } = await controlSandbox(services, access, path, { lines });
    return { order_id: String(order_id) };
  });
