import * as z from "zod";
import { eventSchemas } from "./events.ts";
import { deliveryId, endpointId, eventId } from "./ids.ts";
import { maxDroppedNamed, maxFilterValues, maxRedelivered } from "./limits.ts";
import { listTotal, pageShape } from "./lists.ts";
import { attemptOutcomes, deliveryStatuses, dropReasons, eventTypes } from "./states.ts";
import { filledText, requestTime, timestamp } from "./text.ts";
import { attemptResponseShape, attemptResultShape } from "./webhooks.ts";

/** One POST of a delivery, as the account sees it. Times of the parts are null where not reached. */
export const deliveryAttempt = z.strictObject({
  number: z.int().min(1),
  ...attemptResultShape,
  ...attemptResponseShape,
});
export type DeliveryAttempt = z.output<typeof deliveryAttempt>;

/** One event on its way to one endpoint, one generation of it. */
export const delivery = z.strictObject({
  id: deliveryId,
  event_id: eventId,
  endpoint_id: endpointId,
  endpoint_url: z.string(),
  generation: z.int().min(1),
  status: z.enum(deliveryStatuses),
  drop_reason: z.enum(dropReasons).nullable(),
  attempt_count: z.int().min(0),
  next_attempt_at: timestamp.nullable(),
  drops_at: timestamp.nullable().meta({
    description: "When it is dropped if every attempt still to come fails, at the earliest.",
  }),
  ended_at: timestamp.nullable(),
  dismissed_at: timestamp.nullable(),
  created_at: timestamp,
});
export type Delivery = z.output<typeof delivery>;

/** An event in a list: its envelope without the data, and how its deliveries stand. */
export const eventSummary = z.strictObject({
  id: eventId,
  event: z.enum(eventTypes),
  created_at: timestamp,
  deliveries: z.array(
    z.strictObject({ id: deliveryId, endpoint_id: endpointId, status: z.enum(deliveryStatuses) }),
  ),
});
export type EventSummary = z.output<typeof eventSummary>;

function page<Row extends z.ZodType>(row: Row) {
  return {
    data: z.array(row),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
    total: listTotal,
  };
}

/** Rows since a moment, and before another. */
const timeRange = { since: requestTime.optional(), until: requestTime.optional() };
const ofEvents = z.array(z.enum(eventTypes)).min(1).max(eventTypes.length).optional();

/** `webhooks.deliveries.list`, the latest made first. */
export const deliveryListInput = z.strictObject({
  endpoint_id: endpointId.optional(),
  status: z.array(z.enum(deliveryStatuses)).min(1).max(deliveryStatuses.length).optional(),
  event: ofEvents,
  ...timeRange,
  ...pageShape,
});
export type DeliveryListInput = z.output<typeof deliveryListInput>;
export const deliverySummary = delivery.extend({
  event: z.enum(eventTypes),
  event_created_at: timestamp,
  last_status_code: z.int().nullable(),
  last_error: z.string().nullable(),
  can_redeliver: z.boolean().meta({ description: "Its endpoint is there and enabled." }),
});
export type DeliverySummary = z.output<typeof deliverySummary>;
export const deliveryListAnswer = z.strictObject(page(deliverySummary));

/** `webhooks.deliveries.get`: with what is sent and every attempt. */
export const deliveryGetInput = z.strictObject({ id: z.string() });
export const deliveryDetail = deliverySummary.extend({
  dismissed_note: z.string().nullable(),
  request_body: z.string().meta({ description: "Byte for byte as it is sent and signed." }),
  attempts: z.array(deliveryAttempt),
});
export type DeliveryDetail = z.output<typeof deliveryDetail>;

/**
 * `webhooks.attempts.list`, the latest first; without the answers' headers and bodies, which
 * `webhooks.deliveries.get` has. `delivered`, `outcome`, `status_code` and `error` narrow each other.
 */
export const attemptListInput = z.strictObject({
  endpoint_id: endpointId.optional(),
  event: ofEvents,
  delivered: z.boolean().optional(),
  outcome: z.array(z.enum(attemptOutcomes)).min(1).max(attemptOutcomes.length).optional(),
  status_code: z.array(z.int().min(100).max(599)).min(1).max(maxFilterValues).optional(),
  error: z.array(filledText(60)).min(1).max(maxFilterValues).optional(),
  ...timeRange,
  ...pageShape,
});
export type AttemptListInput = z.output<typeof attemptListInput>;
export const attemptSummary = z.strictObject({
  id: z.string(),
  delivery_id: deliveryId,
  event_id: eventId,
  event: z.enum(eventTypes),
  endpoint_id: endpointId,
  endpoint_url: z.string(),
  number: z.int().min(1),
  ...attemptResultShape,
});
export type AttemptSummary = z.output<typeof attemptSummary>;
export const attemptListAnswer = z.strictObject(page(attemptSummary));

/** `events.list`, newest first. */
export const eventListInput = z.strictObject({
  event: z.array(z.enum(eventTypes)).min(1).optional(),
  ...pageShape,
});
export const eventListAnswer = z.strictObject(page(eventSummary));

/** `events.get`: the event as it is sent, with every generation and attempt. */
export const eventGetInput = z.strictObject({ id: z.string() });
export const eventDetail = z.strictObject({
  envelope: z.discriminatedUnion("event", [
    eventSchemas["card.identified"],
    eventSchemas["card.priced"],
    eventSchemas["card.workflow_status_changed"],
    eventSchemas["listing.published"],
    eventSchemas["listing.sold"],
    eventSchemas["listing.ended"],
    eventSchemas["batch.completed"],
    eventSchemas["identify.failed"],
  ]),
  deliveries: z.array(
    delivery.extend({
      can_redeliver: z.boolean().meta({ description: "Its endpoint is there and enabled." }),
      attempts: z.array(deliveryAttempt),
    }),
  ),
});
export type EventDetail = z.output<typeof eventDetail>;

/** A delivery that was dropped. */
export const droppedDelivery = z.strictObject({
  delivery_id: deliveryId,
  event_id: eventId,
  event: z.enum(eventTypes),
  event_created_at: timestamp,
  endpoint_id: endpointId,
  endpoint_url: z.string(),
  reason: z.enum(dropReasons),
  dropped_at: timestamp,
  attempt_count: z.int().min(0),
  last_status_code: z.int().nullable(),
  last_error: z.string().nullable(),
  can_redeliver: z.boolean().meta({ description: "Its endpoint is there and enabled." }),
});
export type DroppedDelivery = z.output<typeof droppedDelivery>;

/** `events.dropped`: what was dropped and not dismissed, latest first. */
export const droppedListInput = z.strictObject({
  endpoint_id: endpointId.optional(),
  ...pageShape,
});
export const droppedListAnswer = z.strictObject({
  ...page(droppedDelivery),
  /** Without those whose endpoint was removed: they are listed, not counted. */
  total: z.int().min(0),
});

/** `events.redeliver`: a new generation of one event to one endpoint. Answers the delivery. */
export const redeliverInput = z.strictObject({ event_id: z.string(), endpoint_id: z.string() });

/**
 * `events.redeliverMany`: as `events.redeliver` for each of the named deliveries. What cannot be sent
 * again is named with its reason, and does not stop the others. Two generations of the same event to
 * the same endpoint count once.
 */
export const redeliverManyInput = z.strictObject({
  delivery_ids: z.array(z.string()).min(1).max(maxRedelivered),
});
export const redeliverManyAnswer = z.strictObject({
  redelivered: z.array(delivery),
  refused: z.array(
    z.strictObject({
      delivery_id: z.string(),
      code: z.enum(["not_found", "conflict"]),
      message: z.string(),
    }),
  ),
});
export type RedeliverMany = z.output<typeof redeliverManyAnswer>;

/** What is meant by name, or all of one endpoint. */
const droppedShape = {
  delivery_ids: z.array(z.string()).min(1).max(maxDroppedNamed).optional(),
  endpoint_id: z.string().optional(),
};
function isOneOfBoth(input: { delivery_ids?: unknown; endpoint_id?: unknown }): boolean {
  return (input.delivery_ids === undefined) !== (input.endpoint_id === undefined);
}
const notOneOfBoth = {
  message: "Give exactly one of delivery_ids and endpoint_id",
  path: ["delivery_ids"],
};

/**
 * `events.redeliverDropped`: the named dropped deliveries, or all of one endpoint, sent again by one background job.
 * What was sent again or dismissed meanwhile is skipped. Answers the job.
 */
export const redeliverDroppedInput = z.strictObject(droppedShape).refine(isOneOfBoth, notOneOfBoth);
export type RedeliverDropped = z.output<typeof redeliverDroppedInput>;

/** `events.dismiss`: the named dropped deliveries, or all of one endpoint. */
export const dismissInput = z
  .strictObject({ ...droppedShape, note: filledText(500).optional() })
  .refine(isOneOfBoth, notOneOfBoth);
export const dismissAnswer = z.strictObject({ dismissed: z.int().min(0) });
