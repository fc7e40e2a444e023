import type { ListingJobKind } from "../../listings/listing-jobs.ts";
import type { WorkHandler } from "../../work/handler.ts";
import type { ListingNeeds } from "./listing-run.ts";
import { publishHandler } from "./publish-handler.ts";
import { reviseHandler } from "./revise-handler.ts";
import { withdrawHandler } from "./withdraw-handler.ts";

/** The handlers of what listings ask of the marketplace. */
export function listingHandlers(needs: ListingNeeds): [ListingJobKind, WorkHandler][] {
  return [
    ["publish_listing", publishHandler(needs)],
    ["revise_listing", reviseHandler(needs)],
    ["withdraw_listing", withdrawHandler(needs)],
  ];
}
