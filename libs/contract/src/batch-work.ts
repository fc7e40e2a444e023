import * as z from "zod";
import { cardId, pathId } from "./ids.ts";
import { totalMoney } from "./money.ts";
import { workflowCounts } from "./batch.ts";

/** What a card of a batch can still lack. A card that is sold or archived lacks nothing. */
export const unfinishedKinds = [
  "not_identified",
  "needs_review",
  "without_price",
  "without_photo",
  "without_location",
  /** Counted only where the batch has a cost. */
  "without_cost",
] as const;
export type UnfinishedKind = (typeof unfinishedKinds)[number];

const unfinished = z.strictObject({
  kind: z.enum(unfinishedKinds),
  cards: z.int().min(1),
});
export type Unfinished = z.output<typeof unfinished>;

/** `batches.progress`: how far the cards of a batch are, and what they are worth. */
export const batchProgress = z.strictObject({
  counts: workflowCounts,
  card_count: z.int().min(0),
  /** Kinds that no card has are left out. A card may be counted under several. */
  left: z.array(unfinished),
  /** Neither sold nor archived; price and cost are of one copy, times quantity. */
  asking_value: totalMoney,
  cost: totalMoney,
});
export type BatchProgress = z.output<typeof batchProgress>;

/** Why a batch cannot be completed now, whatever one acknowledges. */
export const completionBlocks = ["batch_complete", "membership_job"] as const;

/** `batches.completionCheck`: what `batches.complete` will ask to be acknowledged. */
export const completionCheck = z.strictObject({
  left: z.array(unfinished),
  blocked_by: z.enum(completionBlocks).nullable(),
  /** Jobs that work on its cards; those that change its membership block, the others go on. */
  running_jobs: z.int().min(0),
});
export type CompletionCheck = z.output<typeof completionCheck>;

/**
 * `batches.complete`. With cards unfinished and not `acknowledged` it is 409 `conflict`, whose details
 * have the kind as path. Answers the batch.
 */
export const batchCompleteInput = z.strictObject({
  id: pathId("batch"),
  acknowledged: z.boolean().optional(),
});

export const costWeights = ["even", "asking_price", "market_price"] as const;
export type CostWeight = (typeof costWeights)[number];

const costInput = {
  id: pathId("batch"),
  by: z.enum(costWeights).default("even"),
  /** Cards that have a cost keep it, the spread's own too: for cards that were added later. */
  only_without_cost: z.boolean().default(false),
};

/** `batches.previewCost`. 409 `conflict` for a batch without a cost. */
export const costPreviewInput = z.strictObject({
  ...costInput,
  rows: z.int().min(1).max(200).default(50).meta({ description: "Cards that are shown." }),
});
export type CostPreviewInput = z.output<typeof costPreviewInput>;

export const costPreview = z.strictObject({
  cost_basis: totalMoney,
  /** Costs that stay: set by hand, or all there are with `only_without_cost`. Times copies. */
  kept: totalMoney,
  kept_cards: z.int().min(0),
  /** What the others are given together; kept + spread + unspread = cost_basis. */
  spread: totalMoney,
  spread_cards: z.int().min(0),
  /** Less than a unit a copy: what no card with several copies can take. */
  unspread: totalMoney,
  /** Without the price that is asked for: they take part with the mean of the others. */
  averaged_cards: z.int().min(0),
  /** Above 0 the spread is refused: the costs that stay are more than the batch cost. */
  excess: totalMoney,
  rows: z.array(
    z.strictObject({
      card_id: cardId,
      title: z.string().nullable(),
      sku: z.string().nullable(),
      /** All that came with the batch, those that are sold by now too. */
      copies: z.int().min(1),
      /** Of one copy. */
      before: totalMoney.nullable(),
      after: totalMoney,
    }),
  ),
});
export type CostPreview = z.output<typeof costPreview>;

/** `batches.spreadCost`: the same, done. Answers a job. */
export const costSpreadInput = z.strictObject(costInput);
export type CostSpreadInput = z.output<typeof costSpreadInput>;
