import * as z from "zod";
import { card, grading } from "./card.ts";
import { identifyProviders } from "./events.ts";
import { historyActor, historyEvent } from "./history.ts";
import { identifyOutcomes, candidate, confidence } from "./identify.ts";
import { cardId, identificationId, jobId, pathId } from "./ids.ts";
import { pageShape } from "./lists.ts";
import { identificationStatuses, reviewReasons } from "./states.ts";
import { timestamp } from "./text.ts";

/** What the catalogue says of a candidate. `several`: more than one card has its name and number. */
export const catalogueVerdicts = [
  "confirmed",
  "several",
  "contradicted",
  "unknown",
  "not_checked",
] as const;
export type CatalogueVerdict = (typeof catalogueVerdicts)[number];

/** A candidate with who found it (`local`, `cardsight`, a model) and what the catalogue says of it. */
export const keptCandidate = z.strictObject({
  ...candidate.shape,
  engines: z.array(z.string()).min(1),
  catalogue: z.enum(catalogueVerdicts),
  external_ids: z.record(z.string(), z.string()),
  /** What was read off its slab. */
  grading: grading.nullable().default(null),
});
export type KeptCandidate = z.output<typeof keptCandidate>;

const said = z.union([z.string(), z.number(), z.boolean()]);

/** One field of the likeliest candidate: which engines say so, and which say what else. */
export const fieldEvidence = z.strictObject({
  field: z.string().meta({ examples: ["number"] }),
  value: said,
  agreeing: z.array(z.string()),
  disagreeing: z.array(z.strictObject({ engine: z.string(), value: said })),
});
export type FieldEvidence = z.output<typeof fieldEvidence>;

/** What one engine did. A cost is in millionths of a US dollar, null where it is not known. */
export const keptAttempt = z.strictObject({
  provider: z.enum(identifyProviders),
  engine: z.string().nullable(),
  outcome: z.enum(identifyOutcomes),
  confidence: confidence.nullable(),
  duration_ms: z.int().min(0),
  cost_micros: z.int().min(0).nullable(),
  error: z.string().nullable(),
  unreadable: z.array(z.string()),
});
export type KeptAttempt = z.output<typeof keptAttempt>;

/** One identification of a card: what was asked, found and done. */
export const identificationRecord = z.strictObject({
  id: identificationId,
  card_id: cardId,
  status: z.enum(identificationStatuses),
  review_reason: z.enum(reviewReasons).nullable(),
  threshold: confidence,
  candidates: z.array(keptCandidate),
  fields: z.array(fieldEvidence),
  attempts: z.array(keptAttempt),
  actor: historyActor,
  job_id: jobId.nullable(),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type IdentificationRecord = z.output<typeof identificationRecord>;

/** `identifications.list`: those of a card, the latest first. */
export const identificationListInput = z.strictObject({ card_id: pathId("card"), ...pageShape });
export const identificationListAnswer = z.strictObject({
  data: z.array(identificationRecord),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});
export type IdentificationList = z.output<typeof identificationListAnswer>;

/**
 * `identifications.undo`: back to imported, with the fields and the review of before. Fields that were
 * changed since keep their value; events that were sent stay sent.
 */
export const identificationUndoInput = z.strictObject({ id: z.string() });
export const identificationUndoAnswer = z.strictObject({
  card,
  events_sent: z.array(historyEvent),
});
