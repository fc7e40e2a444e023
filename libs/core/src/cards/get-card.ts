import { card, cardGetInput } from "@cardvault/contract";
import { getCard } from "@cardvault/db";
import { compiled, documented } from "../procedures.ts";

export const getCardProcedure = documented({
  openapi: {
    method: "GET",
    path: "/cards/{id}",
    summary: "Fetch one card",
    tags: ["Cards"],
  },
  limitClass: "read",
  scopes: ["cards:read"],
  etag: true,
  notFoundCode: "card_not_found",
})
  .input(cardGetInput)
  .output(compiled(card))
  .query(({ ctx, input }) =>
    getCard(ctx.services.db, ctx.access.accountId, input.id, ctx.services.photoUrls.urlOf),
  );
