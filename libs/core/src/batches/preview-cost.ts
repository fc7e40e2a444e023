import { costPreview, costPreviewInput } from "@cardvault/contract";
import type { CostPreview, CostPreviewInput } from "@cardvault/contract";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { planCost } from "./plan-cost.ts";

/** @throws VaultError `batch_not_found`; `conflict` for a batch without a cost */
async function previewCost(
  { db }: Pick<Services, "db">,
  { accountId }: Access,
  { id, by, only_without_cost: onlyWithoutCost, rows }: CostPreviewInput,
): Promise<CostPreview> {
  const plan = await planCost(db, accountId, id, { by, onlyWithoutCost });
  const money = (amount: number) => ({ amount, currency: plan.currency });
  const spread = plan.given.reduce((sum, { card, amount }) => sum + amount * card.copies, 0);
  return {
    cost_basis: money(plan.costBasis),
    kept: money(plan.kept),
    kept_cards: plan.keptCards,
    spread: money(spread),
    spread_cards: plan.given.length,
    unspread: money(plan.unspread),
    averaged_cards: plan.averaged,
    excess: money(plan.excess),
    rows: plan.given.slice(0, rows).map(({ card, amount }) => ({
      card_id: card.id,
      title: card.title,
      sku: card.sku,
      copies: card.copies,
      before: card.cost === null ? null : money(card.cost),
      after: money(amount),
    })),
  };
}

export const previewCostProcedure = session()
  .input(costPreviewInput)
  .output(costPreview)
  .query(({ ctx, input }) => previewCost(ctx.services, ctx.access, input));
