import { maxPreviewed, previewPricesAnswer, previewPricesInput } from "@cardvault/contract";
import type { PreviewPrices, PreviewPricesInput } from "@cardvault/contract";
import { readPricedCards } from "@cardvault/db";
import type { Database, PricedRow } from "@cardvault/db";
import { priceByRule } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";

const readAtOnce = 5_000;

/**
 * What a price rule would do: before and after for the first cards, and sums of all of them, by the rule
 * that the job itself uses. Nothing is written.
 */
async function previewPrices(
  db: Database,
  { accountId, currency }: Pick<Access, "accountId" | "currency">,
  { selection, rule, rows: shown }: PreviewPricesInput,
): Promise<PreviewPrices> {
  const rows: PreviewPrices["rows"] = [];
  const skipped = { no_market_price: 0, other_currency: 0, out_of_range: 0 };
  const totals = { cards: 0, changed: 0, unchanged: 0, before: 0, after: 0 };
  let after: string | undefined;
  let isComplete = false;
  while (!isComplete && totals.cards < maxPreviewed) {
    const page = await readPricedCards(db, accountId, selection, { after, limit: readAtOnce });
    for (const card of page) {
      const result = priceByRule(card, rule, currency);
      const price = "price" in result ? result.price : null;
      const copies = BigInt(card.quantity);
      totals.cards += 1;
      totals.before += Number(BigInt(card.askingPrice?.amount ?? 0) * copies);
      totals.after += Number(BigInt((price ?? card.askingPrice)?.amount ?? 0) * copies);
      if ("skipped" in result) skipped[result.skipped] += 1;
      else if (price?.amount === card.askingPrice?.amount) totals.unchanged += 1;
      else totals.changed += 1;
      if (rows.length < shown) rows.push(rowOf(card, result));
    }
    after = page.at(-1)?.id;
    isComplete = page.length < readAtOnce;
  }
  const { before, after: afterwards, ...counts } = totals;
  return {
    rows,
    totals: {
      ...counts,
      skipped,
      before: { amount: before, currency },
      after: { amount: afterwards, currency },
    },
    is_complete: isComplete,
  };
}

function rowOf(
  { id, sku, title, marketPrice, askingPrice }: PricedRow,
  result: ReturnType<typeof priceByRule>,
): PreviewPrices["rows"][number] {
  return {
    card: { id, sku, title },
    market_price: marketPrice,
    before: askingPrice,
    after: "price" in result ? result.price : null,
    skipped: "skipped" in result ? result.skipped : null,
  };
}

/** A mutation that changes nothing: a selection can be too long for an address. */
export const previewPricesProcedure = session()
  .input(previewPricesInput)
  .output(previewPricesAnswer)
  .mutation(({ ctx, input }) => previewPrices(ctx.services.db, ctx.access, input));
