import * as z from "zod";
import { deliveryId, endpointId, eventId, jobId } from "./ids.ts";
import { defaultRotation, maxEndpointsPerAccount, rotationChoices } from "./limits.ts";
import { pageShape } from "./lists.ts";
import { deliveryStatuses, dropReasons, eventTypes } from "./states.ts";
import { filledText, requestTime, timestamp, webAddress } from "./text.ts";

/** Why an endpoint was disabled: by a person, by its own failing, or by answering 410. */
export const endpointDisabledReasons = ["by_hand", "failing", "gone"] as const;

const description = filledText(200);

/** The events that an endpoint is sent, each named once. */
const subscription = z
  .array(z.enum(eventTypes))
  .min(1)
  .refine((given) => new Set(given).size === given.length, "Must not repeat an event");

/** A webhook endpoint. Its secret is shown when it is made and when it is rotated, and never again. */
export const webhookEndpoint = z.strictObject({
  id: endpointId,
  url: webAddress,
  description: description.nullable(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  disabled_reason: z.enum(endpointDisabledReasons).nullable(),
  disabled_at: timestamp.nullable(),
  secret_switches_at: timestamp
    .nullable()
    .meta({ description: "While a rotation is open: when the new secret begins to sign." }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** The one answer that holds the secret. */
export const newWebhookEndpoint = z.strictObject({
  endpoint: webhookEndpoint,
  secret: z.string().startsWith("whsec_"),
});
export type NewWebhookEndpoint = z.output<typeof newWebhookEndpoint>;

export const endpointListAnswer = z.strictObject({
  data: z.array(webhookEndpoint).max(maxEndpointsPerAccount),
});

/**
 * `webhooks.endpoints.create`. Which addresses are allowed is decided by the sender's guard and not
 * here: it depends on the installation. Answers {@link newWebhookEndpoint}.
 */
export const endpointCreateInput = z.strictObject({
  url: webAddress,
  description: description.nullable().optional(),
  events: subscription.default([...eventTypes]),
});
export type EndpointCreate = z.output<typeof endpointCreateInput>;

/**
 * `webhooks.endpoints.update`. Answers the endpoint. 412 `precondition_failed` where a member is not what
 * was `expected` of it, and nothing is changed.
 */
export const endpointUpdateInput = z.strictObject({
  id: z.string(),
  url: webAddress.optional(),
  description: description.nullable().optional(),
  events: subscription.optional(),
  enabled: z.boolean().optional(),
  /** What the editor read of the members that are changed. */
  expected: webhookEndpoint
    .pick({ url: true, description: true, events: true })
    .partial()
    .optional(),
});
export type EndpointUpdate = z.output<typeof endpointUpdateInput>;

/** `webhooks.endpoints.delete`. */
export const endpointIdInput = z.strictObject({ id: z.string() });

/**
 * `webhooks.endpoints.rotate`: a new secret now, which begins to sign at the chosen moment. Answers
 * {@link newWebhookEndpoint}; while a rotation is open, 409 `conflict`.
 */
export const endpointRotateInput = z.strictObject({
  id: z.string(),
  switch: z.enum(rotationChoices).default(defaultRotation),
});

/** What one POST brought. Times of the parts are null where not reached, or where a connection was reused. */
export const attemptResultShape = {
  started_at: timestamp,
  delivered: z.boolean(),
  status_code: z.int().nullable(),
  error: z.string().nullable().meta({ description: "A code: `timeout`, `address_refused` …" }),
  dns_ms: z.int().min(0).nullable(),
  connect_ms: z.int().min(0).nullable(),
  tls_ms: z.int().min(0).nullable(),
  first_byte_ms: z.int().min(0).nullable(),
  total_ms: z.int().min(0),
};

/** What came back, safe to show: text that is no UTF-8 is decoded as well as can be. */
export const attemptResponseShape = {
  response_headers: z.record(z.string(), z.string()).nullable(),
  response_body: z.string().nullable().meta({ description: "At most 16 KiB of it." }),
  response_truncated: z.boolean(),
};

/**
 * `webhooks.endpoints.test`: one attempt now, of an event of this type that never happened. 429
 * `rate_limit_exceeded` above ten a minute in an account. Also for a disabled endpoint: to try it
 * before it is enabled.
 */
export const endpointTestInput = z.strictObject({ id: z.string(), event: z.enum(eventTypes) });
export const endpointTestAnswer = z.strictObject({
  ...attemptResultShape,
  ...attemptResponseShape,
  request: z.strictObject({
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
});
export type EndpointTest = z.output<typeof endpointTestAnswer>;

/**
 * How an endpoint fares. `idle`: nothing was ever sent to it, or not since it was enabled. `failing`:
 * every attempt since `failing_since` failed; it is disabled at `disables_at` if that goes on.
 */
export const endpointHealthStates = ["idle", "healthy", "failing", "disabled"] as const;
export const endpointHealth = z.strictObject({
  endpoint_id: endpointId,
  state: z.enum(endpointHealthStates),
  failing_since: timestamp.nullable(),
  disables_at: timestamp.nullable(),
  last_delivered_at: timestamp.nullable(),
  last_failed_at: timestamp.nullable(),
  undelivered: z.int().min(0).meta({ description: "Counted up to 10,000." }),
  dropped: z.int().min(0).meta({ description: "Not dismissed. Counted up to 10,000." }),
  recovery_job_id: jobId.nullable().meta({ description: "The recovery that is under way." }),
});
export type EndpointHealth = z.output<typeof endpointHealth>;

/** `webhooks.endpoints.health`: of every endpoint, the first made first. Takes no input. */
export const endpointHealthAnswer = z.strictObject({
  data: z.array(endpointHealth).max(maxEndpointsPerAccount),
});

/**
 * `webhooks.endpoints.recover`: every event since a moment again, as one background job. `failed`:
 * those dropped, and those that have failed and wait for a retry. `missing`: also those that were
 * never sent to it, because it was disabled, not there yet or not subscribed. Answers the job;
 * 409 `conflict` for a disabled endpoint and while another recovery of it runs.
 */
export const recoverScopes = ["failed", "missing"] as const;
export type RecoverScope = (typeof recoverScopes)[number];
export const endpointRecoverInput = z.strictObject({
  id: z.string(),
  since: requestTime,
  include: z.enum(recoverScopes).default("failed"),
});

/**
 * `webhooks.endpoints.missing`: events since a moment, of the types that the endpoint is subscribed
 * to now, that it has not been sent with success; the oldest first. A page looks at a bounded number
 * of events: it may hold fewer rows than asked for, or none, and still have a next one.
 */
export const endpointMissingInput = z.strictObject({
  id: z.string(),
  since: requestTime,
  ...pageShape,
});
export const missingEvent = z.strictObject({
  event_id: eventId,
  event: z.enum(eventTypes),
  created_at: timestamp,
  status: z
    .enum([...deliveryStatuses.filter((status) => status !== "delivered"), "never_sent"])
    .meta({ description: "Of the latest generation." }),
  drop_reason: z.enum(dropReasons).nullable(),
  delivery_id: deliveryId.nullable(),
  generation: z.int().min(1).nullable(),
  next_attempt_at: timestamp.nullable(),
});
export type MissingEvent = z.output<typeof missingEvent>;
export const endpointMissingAnswer = z.strictObject({
  data: z.array(missingEvent),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
  looked_until: timestamp.meta({ description: "Every event before it has been looked at." }),
});

/** `webhooks.endpoints.timeline`: who changed it, and what the account was told of it; the latest first. */
export const endpointTimelineInput = z.strictObject({ id: z.string(), ...pageShape });
export const endpointTimelineEntry = z.strictObject({
  id: z.string(),
  kind: z.enum(["change", "notice"]),
  action: z.string().meta({ examples: ["endpoint.updated", "endpoint_failing"] }),
  actor: z
    .strictObject({
      kind: z.enum(["member", "token", "operator", "system"]),
      id: z.string().nullable(),
      name: z.string().nullable(),
    })
    .nullable()
    .meta({ description: "Null for a notice." }),
  details: z.record(z.string(), z.unknown()),
  created_at: timestamp,
});
export type EndpointTimelineEntry = z.output<typeof endpointTimelineEntry>;
export const endpointTimelineAnswer = z.strictObject({
  data: z.array(endpointTimelineEntry),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});
