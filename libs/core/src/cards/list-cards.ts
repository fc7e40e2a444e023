import { cardList, cardListQuery } from "@cardvault/contract";
import { listCards } from "@cardvault/db";
import { compiled, documented } from "../procedures.ts";

export const listCardsProcedure = documented({
  openapi: {
    method: "GET",
    path: "/cards",
    summary: "List cards, with filters",
    tags: ["Cards"],
  },
  limitClass: "read",
  scopes: ["cards:read"],
})
  .input(cardListQuery)
  .output(compiled(cardList))
  .query(({ ctx, input }) =>
    listCards(ctx.services.db, ctx.access.accountId, input, ctx.services.photoUrls.urlOf),
  );
