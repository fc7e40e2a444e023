import { VaultError } from "@cardvault/contract";
import type { CostWeight } from "@cardvault/contract";
import { getBatch, readCostCards } from "@cardvault/db";
import type { CostCardRow, Queryable } from "@cardvault/db";
import { spreadCost } from "@cardvault/domain";

/** How a batch's cost is to be spread. */
export interface CostOrder {
  by: CostWeight;
  onlyWithoutCost: boolean;
}

/** What a spread would give. Amounts are minor units of the account's currency. */
interface CostPlan {
  currency: string;
  costBasis: number;
  /** Those that take part, by id, each with what one copy is given. */
  given: readonly { card: CostCardRow; amount: number }[];
  keptCards: number;
  /** Of all copies whose cost stays. */
  kept: number;
  /** Of the batch's cost, what nobody can take. */
  unspread: number;
  /** By how much the costs that stay are more than the batch's. */
  excess: number;
  averaged: number;
}

/**
 * Plans how a batch's cost is spread over its cards. A cost that somebody has set by hand stays, and is
 * taken off what the others share.
 * @throws VaultError `batch_not_found`; `conflict` for a batch without a cost
 */
export async function planCost(
  db: Queryable,
  accountId: string,
  batchId: string,
  { by, onlyWithoutCost }: CostOrder,
): Promise<CostPlan> {
  const batch = await getBatch(db, accountId, batchId);
  if (batch.cost_basis === null) {
    throw new VaultError("conflict", { message: "The batch has no cost to spread." });
  }
  const { amount: costBasis, currency } = batch.cost_basis;
  const cards = await readCostCards(db, accountId, batchId);
  const isKept = ({ cost, isShare }: CostCardRow) => cost !== null && (onlyWithoutCost || !isShare);
  const stays = cards.filter(isKept);
  const takes = cards.filter((card) => !isKept(card));
  const kept = stays.reduce((sum, { cost, copies }) => sum + (cost ?? 0) * copies, 0);
  const rest = Math.max(0, costBasis - kept);
  const { shares, unspread, averaged } = spreadCost(
    rest,
    takes.map((card) => ({ id: card.id, copies: card.copies, weight: weightOf(card, by) })),
    by,
  );
  return {
    currency,
    costBasis,
    given: takes.map((card) => ({ card, amount: shares.get(card.id) ?? 0 })),
    keptCards: stays.length,
    kept,
    unspread,
    excess: Math.max(0, kept - costBasis),
    averaged,
  };
}

/** Where the wanted price is missing, the other one says better than a mean what the card is worth. */
function weightOf({ askingPrice, marketPrice }: CostCardRow, by: CostWeight): number | null {
  if (by === "even") return null;
  return by === "asking_price" ? (askingPrice ?? marketPrice) : (marketPrice ?? askingPrice);
}
