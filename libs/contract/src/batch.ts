import * as z from "zod";
import { cardMaxima } from "./card-maxima.ts";
import { condition } from "./card.ts";
import { batchId, exampleId, pathId } from "./ids.ts";
import { money, totalMoney } from "./money.ts";
import { batchStatuses, workflowStatuses } from "./states.ts";
import type { WorkflowStatus } from "./states.ts";
import { filledText, requestTime, text, timestamp } from "./text.ts";

/** The documented maxima of a batch, in characters. */
export const batchMaxima = { code: 20, name: 120, source: 120, description: 2_000 } as const;

const batchName = filledText(batchMaxima.name);
const code = filledText(batchMaxima.code);

const defaultsShape = {
  set: filledText(cardMaxima.set).nullable(),
  game: filledText(cardMaxima.game).nullable(),
  condition: condition.nullable(),
  language: filledText(cardMaxima.language).nullable(),
  location: filledText(cardMaxima.location).nullable(),
  price_floor: money.nullable(),
};

const defaults = z
  .strictObject(defaultsShape)
  .meta({ id: "BatchDefaults", description: "What a new card of the batch starts with." });

const countsShape = Object.fromEntries(
  workflowStatuses.map((status) => [status, z.int().min(0)]),
) as Record<WorkflowStatus, z.ZodInt>;

/** How many cards stand at each workflow status. */
export const workflowCounts = z
  .strictObject(countsShape)
  .meta({ id: "WorkflowCounts", description: "Cards by workflow status." });

/** A batch as it is answered. */
export const batch = z
  .strictObject({
    id: batchId,
    code,
    name: batchName,
    status: z.enum(batchStatuses),
    source: filledText(batchMaxima.source).nullable(),
    description: text(batchMaxima.description).nullable(),
    defaults,
    cost_basis: totalMoney.nullable().meta({ description: "What the whole batch cost." }),
    acquired_at: timestamp.nullable(),
    card_count: z.int().min(0),
    counts: workflowCounts,
    completed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({
    id: "Batch",
    description: "Cards that came in together.",
    examples: [
      {
        id: exampleId("batch"),
        code: "B47",
        name: "Harbour collection",
        status: "open",
        source: "Estate sale",
        description: null,
        defaults: {
          set: "Storm Harbour",
          game: "Runes of Avarra",
          condition: "near_mint",
          language: "en",
          location: "A-03",
          price_floor: null,
        },
        cost_basis: { amount: 45000, currency: "USD" },
        acquired_at: "2026-02-26T00:00:00.000Z",
        card_count: 2,
        counts: {
          imported: 1,
          identified: 0,
          priced: 1,
          photographed: 0,
          listed: 0,
          sold: 0,
          archived: 0,
        },
        completed_at: null,
        created_at: "2026-02-27T16:00:00.000Z",
        updated_at: "2026-02-27T16:00:00.000Z",
      },
    ],
  });
export type Batch = z.output<typeof batch>;

const editableShape = {
  code: code.optional(),
  source: filledText(batchMaxima.source).nullable().optional(),
  description: text(batchMaxima.description).nullable().optional(),
  defaults: z.strictObject(defaultsShape).partial().optional().meta({
    description: "Replaced whole: what is left out is null.",
  }),
  cost_basis: totalMoney.nullable().optional(),
  acquired_at: requestTime.nullable().optional(),
};

/** `batches.create` (session). Without a code the account's next one is given. */
export const batchCreateInput = z.strictObject({ name: batchName, ...editableShape });
export type BatchCreate = z.output<typeof batchCreateInput>;

/**
 * `batches.update` (session). Every member but the id is optional, and null clears. 412
 * `precondition_failed` where a member is not what was `expected` of it, and nothing is changed.
 */
export const batchUpdateInput = z.strictObject({
  id: pathId("batch"),
  name: batchName.optional(),
  ...editableShape,
  expected: batch
    .pick({
      code: true,
      name: true,
      source: true,
      description: true,
      defaults: true,
      cost_basis: true,
      acquired_at: true,
    })
    .partial()
    .optional()
    .meta({ description: "What the editor read of the members that are changed." }),
});
export type BatchUpdate = z.output<typeof batchUpdateInput>;

/**
 * `batches.find` (session): those whose code or name contains the text, in any case; every one for none.
 * Those that begin so first, then the newest.
 */
export const batchFindInput = z.strictObject({
  text: text(batchMaxima.name).default(""),
  status: z.array(z.enum(batchStatuses)).min(1).optional(),
  limit: z.int().min(1).max(100).default(20),
});
export type BatchFind = z.output<typeof batchFindInput>;
export const foundBatch = batch.pick({ id: true, code: true, name: true, status: true });
export const batchFindAnswer = z.strictObject({
  data: z.array(foundBatch),
  /** All that match. */
  count: z.int().min(0),
});
export type BatchesFound = z.output<typeof batchFindAnswer>;

/** `batches.complete` and `batches.reopen` (session); both answer the batch. */
export const batchIdInput = z.strictObject({ id: pathId("batch") });
