import { decideCard } from "@cardvault/domain";
import type { CardWork } from "../bulk/card-work.ts";

/** Gives cards SKUs by the account's format, a block of numbers for each chunk. */
export function skuWork(): CardWork {
  return {
    begin: async (unit, cardIds) => {
      const without = (await unit.cards.getMany(cardIds)).filter(({ sku }) => sku === null);
      const values = [];
      for (const { batchId, game, setCode, year } of without) {
        const batchCode = batchId === null ? null : await unit.batches.codeOf(batchId);
        values.push({ batchCode, game, setCode, year });
      }
      const skus = await unit.counters.nextSkus(values);
      const skuOf = new Map(without.map(({ id }, index) => [id, skus[index]]));
      return (card) => {
        const sku = skuOf.get(card.id);
        const accountCurrency = unit.account.currency;
        return {
          type: "apply",
          outcome: decideCard(card, { type: "edit", patch: { sku }, accountCurrency }, unit.stamp),
        };
      };
    },
  };
}
