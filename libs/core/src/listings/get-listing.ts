import { listingDetail, listingIdInput } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { readListingDetail } from "./listing-detail.ts";

export const getListingProcedure = session()
  .input(listingIdInput)
  .output(listingDetail)
  .query(({ ctx, input }) => readListingDetail(ctx.services.db, ctx.access.accountId, input.id));
