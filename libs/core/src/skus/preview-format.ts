import { skuPreview, skuPreviewInput } from "@cardvault/contract";
import type { SkuPreview } from "@cardvault/contract";
import { countTakenSkus, readSkuSamples } from "@cardvault/db";
import { renderSku, requireSkuFormat } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/** Shown to an account that has no card yet. */
const invented = {
  title: "Charged Serpent",
  batchCode: "B47",
  game: "Runes of Avarra",
  setCode: "STH",
  year: 2024,
};

/**
 * What a format would give to the account's latest cards.
 * @throws VaultError `validation_failed` for one that could give two cards the same SKU, or none
 */
async function previewFormat(
  { db }: Pick<Services, "db">,
  { accountId }: Access,
  format: string,
): Promise<SkuPreview> {
  requireSkuFormat(format);
  const { cards, nextNumber, withoutSku } = await readSkuSamples(db, accountId);
  const examples = (cards.length > 0 ? cards : [invented]).map(({ title, ...values }, index) => ({
    sku: renderSku(format, { ...values, counter: nextNumber + index }),
    title,
  }));
  return {
    examples,
    next_number: nextNumber,
    taken: await countTakenSkus(
      db,
      accountId,
      examples.map(({ sku }) => sku),
    ),
    cards_without_sku: withoutSku,
  };
}

export const previewFormatProcedure = session()
  .input(skuPreviewInput)
  .output(skuPreview)
  .query(({ ctx, input }) => previewFormat(ctx.services, ctx.access, input.sku_format));
