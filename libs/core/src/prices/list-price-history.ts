import { maxPricePoints, priceHistoryAnswer, priceHistoryInput } from "@cardvault/contract";
import type { PriceHistory } from "@cardvault/contract";
import { getCard, listPriceQuotes } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { quoteAnswer } from "./look-up-prices.ts";

/** @throws VaultError `card_not_found` */
async function listPriceHistory(
  { db, photoUrls }: Pick<Services, "db" | "photoUrls">,
  { accountId }: Access,
  { card_id: cardId, since }: { card_id: string; since?: string | undefined },
): Promise<PriceHistory> {
  await getCard(db, accountId, cardId, photoUrls.urlOf);
  const from = new Date(since ?? 0);
  const rows = await listPriceQuotes(db, { accountId, cardId, since: from, limit: maxPricePoints });
  return {
    data: rows.map((row) => ({
      quoted_at: row.quotedAt.toISOString(),
      quote: quoteAnswer(row),
    })),
  };
}

export const listPriceHistoryProcedure = session()
  .input(priceHistoryInput)
  .output(priceHistoryAnswer)
  .query(({ ctx, input }) => listPriceHistory(ctx.services, ctx.access, input));
