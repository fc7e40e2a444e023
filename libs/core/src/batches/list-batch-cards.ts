import { batchCardsQuery, cardList } from "@cardvault/contract";
import { listBatchCards } from "@cardvault/db";
import { compiled, documented } from "../procedures.ts";

export const listBatchCardsProcedure = documented({
  openapi: {
    method: "GET",
    path: "/batches/{id}/cards",
    summary: "List the cards in one batch",
    tags: ["Batches"],
  },
  limitClass: "read",
  scopes: ["batches:read", "cards:read"],
  notFoundCode: "batch_not_found",
})
  .input(batchCardsQuery)
  .output(compiled(cardList))
  .query(({ ctx: { services, access }, input }) =>
    listBatchCards(services.db, access.accountId, input, services.photoUrls.urlOf),
  );
