import * as z from "zod";
import { card } from "./card.ts";
import { cardId, eventId, jobId, pathId } from "./ids.ts";
import { pageShape } from "./lists.ts";
import { actorKinds, changeKinds, changeVias, eventTypes } from "./states.ts";
import { timestamp } from "./text.ts";

/** Who did it. The name is that of a person who can still sign in, or of a key. */
export const historyActor = z.strictObject({
  kind: z.enum(actorKinds),
  id: z.string().nullable(),
  name: z.string().nullable(),
});

/** An event that a change fired. Its type is null once the event is older than is kept. */
export const historyEvent = z.strictObject({ id: eventId, event: z.enum(eventTypes).nullable() });
export type HistoryEvent = z.output<typeof historyEvent>;

/** A member of the card by the contract's name and in its form, before and after. */
export const fieldChange = z.strictObject({
  field: z.string().meta({ examples: ["asking_price"] }),
  from: z.unknown(),
  to: z.unknown(),
});
export type FieldChange = z.output<typeof fieldChange>;

/**
 * One change of a card. Its time names it: a card changes at most once at a time. Beside the card's own
 * members there are `photos` (those taken away and those added), `listing` (`{id, status, price, quantity}`)
 * and `sale` (one by hand: `{id, quantity, price}`; as `from` where it was voided).
 */
export const cardChange = z.strictObject({
  at: timestamp,
  kind: z.enum(changeKinds),
  version: z.int().min(1),
  actor: historyActor,
  via: z.enum(changeVias),
  job_id: jobId.nullable(),
  changes: z.array(fieldChange),
  events: z.array(historyEvent),
});
export type CardChange = z.output<typeof cardChange>;

/** `cards.history`: the latest first. What a card was made with stands in the changes after it. */
export const cardHistoryInput = z.strictObject({ id: pathId("card"), ...pageShape });
export const cardHistoryAnswer = z.strictObject({
  data: z.array(cardChange),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});
export type CardHistory = z.output<typeof cardHistoryAnswer>;

/** `cards.undoChange`: writes what the change of that time replaced, by the rules of any other change. */
export const undoChangeInput = z.strictObject({ id: pathId("card"), at: timestamp });
export const undoChangeAnswer = z.strictObject({
  card,
  /** Fired by the change that is undone. They have been sent, and stay sent. */
  events_sent: z.array(historyEvent),
});
export type UndoChange = z.output<typeof undoChangeAnswer>;

/** The card of a job's row, so that it can be shown without being asked for. */
export const jobItemCard = z.strictObject({
  id: cardId,
  sku: card.shape.sku,
  title: card.shape.title,
});
