import { listingList, listingListQuery } from "@cardvault/contract";
import { listListings } from "@cardvault/db";
import { compiled, documented } from "../procedures.ts";

export const listListingsProcedure = documented({
  openapi: {
    method: "GET",
    path: "/listings",
    summary: "List marketplace listings",
    tags: ["Listings"],
  },
  limitClass: "read",
  scopes: ["listings:read"],
})
  .input(listingListQuery)
  .output(compiled(listingList))
  .query(({ ctx, input }) => listListings(ctx.services.db, ctx.access.accountId, input));
