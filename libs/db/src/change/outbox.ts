import {
  deliveryDeadlineSeconds,
  eventSchemas,
  maxEventBodyBytes,
  VaultError,
} from "@cardvault/contract";
import type { EventDataOf, EventType } from "@cardvault/contract";
import { newId, toUuid } from "@cardvault/kit";
import type { Cause } from "@cardvault/kit";
import type { Transaction } from "../connection/database.ts";
import type { ChangeOrigin, RecordedChange } from "./change-recorder.ts";

/** An event as a rule fires it. Its id and time are given when it is written. */
export type NewEvent = {
  [Name in EventType]: {
    type: Name;
    data: EventDataOf<Name>;
    /** What it is about; else the card, listing or batch that the data name. */
    subjectId?: string | null | undefined;
  };
}[EventType];

export interface Outbox {
  accountId: string;
  stamp: Date;
  now: Date;
  by: ChangeOrigin;
  /** What the change is made for, which stands beside its events. */
  cause: Cause;
  events: readonly NewEvent[];
  changes: readonly RecordedChange[];
}

/**
 * Writes the events, a delivery of each to every endpoint that is enabled and subscribed, and what
 * became of each card, in one statement. The body is stored as text, because jsonb would reorder it and break the signature.
 */
export async function writeOutbox(tx: Transaction, outbox: Outbox): Promise<void> {
  const { accountId, stamp, now, by, cause, events, changes } = outbox;
  const eventsOf = new Map<string, string[]>();
  const rows = events.map((event) => {
    const id = newId("evt");
    const cardId = "card_id" in event.data ? event.data.card_id : null;
    if (cardId !== null) eventsOf.set(cardId, [...(eventsOf.get(cardId) ?? []), toUuid(id)]);
    const body = eventBody(id, event, accountId, stamp);
    const subjectId = event.subjectId === undefined ? subjectOf(event) : event.subjectId;
    return {
      id: toUuid(id),
      type: event.type,
      subjectId: subjectId === null ? null : toUuid(subjectId),
      body,
    };
  });
  await tx.query(
    `with e as (
       insert into webhook_event (id, account_id, type, subject_id, body, created_at, request_id, traceparent)
       select n.id, $1, n.type, n.subject_id, n.body, $2, $18, $19
       from unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[]) as n (id, type, subject_id, body)
       returning id, type
     ), h as (
       insert into card_change (account_id, card_id, changed_at, version, created, actor_kind, actor_id,
         via, job_id, changes, event_ids)
       select $1, n.card_id, $2, coalesce(n.version, (select c.version from card c where c.id = n.card_id)),
         n.created, $9, $10, $11, $12, n.changes::jsonb, n.event_ids::uuid[]
       from unnest($13::uuid[], $14::int[], $15::bool[], $16::text[], $17::text[])
         as n (card_id, version, created, changes, event_ids)
     )
     insert into webhook_delivery
       (account_id, event_id, endpoint_id, next_attempt_at, deadline_at, created_at)
     select $1, e.id, w.id, $7, $8, $7
     from e join webhook_endpoint w on w.account_id = $1 and w.enabled and w.deleted_at is null
       and (w.event_types is null or e.type = any (w.event_types))
     order by e.id`,
    [
      toUuid(accountId),
      stamp,
      rows.map((row) => row.id),
      rows.map((row) => row.type),
      rows.map((row) => row.subjectId),
      rows.map((row) => row.body),
      now,
      new Date(now.getTime() + deliveryDeadlineSeconds * 1_000),
      by.actor.kind,
      by.actor.id,
      by.via,
      by.jobId === undefined ? null : toUuid(by.jobId, "job"),
      changes.map(({ cardId }) => toUuid(cardId)),
      changes.map(({ version }) => version),
      changes.map(({ created }) => created),
      changes.map((change) => JSON.stringify(change.changes)),
      changes.map(({ cardId }) => uuidArray(eventsOf.get(cardId))),
      cause.requestId === null ? null : toUuid(cause.requestId, "req"),
      cause.traceparent,
    ],
    "write_outbox",
  );
}

/** A PostgreSQL array of its own for each row: one of arrays would have to be rectangular. */
function uuidArray(ids: readonly string[] | undefined): string | null {
  return ids === undefined ? null : `{${ids.join(",")}}`;
}

/** The envelope as it is sent: exactly the five members of the spec, section 2, in this order. */
function eventBody(id: string, event: NewEvent, accountId: string, stamp: Date): string {
  const data = eventSchemas[event.type].shape.data.safeParse(event.data);
  if (!data.success) {
    throw new VaultError("internal_error", {
      cause: new Error(`The data of ${event.type} do not fit its schema`, { cause: data.error }),
    });
  }
  const body = JSON.stringify({
    id,
    event: event.type,
    created_at: stamp.toISOString(),
    account_id: accountId,
    data: data.data,
  });
  if (Buffer.byteLength(body) > maxEventBodyBytes) {
    throw new VaultError("internal_error", {
      cause: new Error(`The body of ${event.type} is larger than ${maxEventBodyBytes} bytes`),
    });
  }
  return body;
}

function subjectOf({ data }: NewEvent): string | null {
  if ("listing_id" in data) return data.listing_id;
  return "batch_id" in data ? data.batch_id : data.card_id;
}
