import * as z from "zod";
import { card, cardPatch, identificationShape } from "./card.ts";
import { historyEvent } from "./history.ts";
import { fieldEvidence, keptCandidate } from "./identifications.ts";
import { cardId, identificationId } from "./ids.ts";
import { anyOf } from "./lists.ts";
import { reviewDecisionKinds } from "./states.ts";
import type { ReviewReason } from "./states.ts";
import { timestamp } from "./text.ts";

/** How long a card is one reviewer's. The page renews it while the card is shown. */
export const reviewLockSeconds = 120;
/** Cards that are locked ahead, so that the next one is there before it is asked for. */
export const maxReviewAhead = 5;

/** The reasons that the queue asks about. Those about copies are settled where the listing is. */
export const queueReasons = [
  "low_confidence",
  "ambiguous",
  "unreadable",
  "providers_failed",
  "high_value",
] as const satisfies readonly ReviewReason[];
export type QueueReason = (typeof queueReasons)[number];

/** `confidence`: the likeliest first. `value`: the dearest first. `age`: the longest untouched first. */
export const reviewOrders = ["confidence", "value", "age"] as const;
export type ReviewOrder = (typeof reviewOrders)[number];

/** A card to review, with what is needed to decide. Keys 1 to 5 are the candidates in their order. */
export const reviewItem = z.strictObject({
  card,
  /** The identification that its candidates are from; null for a card that was put there otherwise. */
  identification_id: identificationId.nullable(),
  candidates: z.array(keptCandidate),
  fields: z.array(fieldEvidence),
  locked_until: timestamp,
});
export type ReviewItem = z.output<typeof reviewItem>;

const queueShape = {
  batch_id: z.string().optional(),
  reason: anyOf(z.enum(queueReasons)),
};

/** `review.next`: locks and answers the next cards; those that the reviewer holds already come first. */
export const reviewNextInput = z.strictObject({
  ...queueShape,
  order: z.enum(reviewOrders).default("confidence"),
  ahead: z.int().min(0).max(maxReviewAhead).default(1),
});
export type ReviewNextInput = z.output<typeof reviewNextInput>;
export const reviewNextAnswer = z.strictObject({
  /** The first is the one to show. Empty: nothing is left that nobody else holds. */
  items: z.array(reviewItem),
});
export type ReviewNext = z.output<typeof reviewNextAnswer>;

/** `review.renew`: holds on to cards. Answers those that are still the reviewer's. */
export const reviewCardsInput = z.strictObject({
  card_ids: z
    .array(z.string())
    .min(1)
    .max(maxReviewAhead + 1),
});
export const reviewRenewAnswer = z.strictObject({
  locks: z.array(z.strictObject({ card_id: cardId, locked_until: timestamp })),
});
export type ReviewRenewed = z.output<typeof reviewRenewAnswer>;

/** `review.release`: lets cards go, as when the page is left. Answers how many were the reviewer's. */
export const reviewReleaseAnswer = z.strictObject({ released: z.int().min(0) });

const version = z.int().min(1).meta({ description: "Of the card as it was shown." });

/**
 * `review.accept`: applies a candidate, or clears a mark that needs none (`high_value`).
 * 412 `precondition_failed` where the card has changed, 409 `conflict` where another holds it.
 */
export const reviewAcceptInput = z.strictObject({
  card_id: z.string(),
  version,
  choice: z
    .strictObject({ identification_id: z.string(), candidate: z.int().min(1).max(5) })
    .optional(),
});
export type ReviewAccept = z.output<typeof reviewAcceptInput>;

const { workflow_status: _, ...correctable } = cardPatch.shape;

/** `review.correct`: by hand, all that a card can be given but its stage. The title is needed. */
export const reviewCorrectInput = z.strictObject({
  card_id: z.string(),
  version,
  fields: z
    .strictObject({ ...correctable, title: identificationShape.title.unwrap() })
    .refine((body) => (body.condition ?? null) === null || (body.grading ?? null) === null, {
      message: "A card has a condition or a grading, never both",
      path: ["grading"],
    }),
});
export type ReviewCorrect = z.output<typeof reviewCorrectInput>;

/** `review.skip`: to the end of this reviewer's queue. */
export const reviewSkipInput = z.strictObject({ card_id: z.string() });

/** `review.accept`, `.correct` and `.skip`. */
export const reviewDecisionAnswer = z.strictObject({ card });

/** `review.undoLast`: takes the reviewer's last decision back. Null: there is none of the last 24 hours. */
export const reviewUndoAnswer = z
  .strictObject({
    card,
    kind: z.enum(reviewDecisionKinds),
    events_sent: z.array(historyEvent),
  })
  .nullable();
export type ReviewUndone = z.output<typeof reviewUndoAnswer>;

const count = z.int().min(0);

/** `review.stats`: how much there is, and how fast it goes. */
export const reviewStatsInput = z.strictObject(queueShape);
export type ReviewStatsInput = z.output<typeof reviewStatsInput>;
export const reviewStatsAnswer = z.strictObject({
  waiting: count,
  by_reason: z.record(z.enum(queueReasons), count),
  /** Of them, those that others hold at this moment. */
  held_by_others: count,
  /** The reviewer's own decisions without skips. */
  decided_last_hour: count,
  decided_last_24_hours: count,
  /** Decisions a minute over the last ten minutes in which there were any; null where there were none. */
  rate_per_minute: z.number().min(0).nullable(),
});
export type ReviewStats = z.output<typeof reviewStatsAnswer>;
