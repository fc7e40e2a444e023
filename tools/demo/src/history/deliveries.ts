import { newId, toUuid } from "@cardvault/kit";
import { waitsSeconds } from "@cardvault/contract";
import { minuteMs } from "./shop.ts";
import type { Shop } from "./shop.ts";

const shownEvents = 60;
const attemptMs = { shortest: 9, longest: 64 } as const;
const hourMs = 60 * minuteMs;

interface Event {
  id: string;
  type: string;
  created_at: Date;
}

/** One POST of the past. */
interface Attempt {
  startedAt: Date;
  statusCode: number | null;
  errorCode: string | null;
  totalMs: number;
}

/**
 * What the example receiver got of the latest events: nearly all at once, one at the second try, and two
 * never, because the receiver was away for a day and a half. These can be sent again from the pages.
 */
export async function writeDeliveries(shop: Shop, endpointId: string): Promise<void> {
  const { services, access, now } = shop;
  const { db } = services;
  const latest = await db.query<Event>(
    `select id, type, created_at from webhook_event where account_id = $1
     order by created_at desc, id desc limit $2`,
    [toUuid(access.accountId), shownEvents],
  );
  const lost = await db.query<Event>(
    `select id, type, created_at from webhook_event
     where account_id = $1 and type = 'card.priced' and created_at between $2 and $3
     order by created_at, id limit 2`,
    [
      toUuid(access.accountId),
      new Date(now.getTime() - 8 * 24 * hourMs),
      new Date(now.getTime() - 4 * 24 * hourMs),
    ],
  );
  const seen = new Set(lost.map(({ id }) => id));
  for (const event of lost) await writeDelivery(shop, endpointId, event, failedAttempts(event));
  const arrived = latest.filter(({ id }) => !seen.has(id));
  for (const [index, event] of arrived.entries()) {
    const attempts =
      index === 5
        ? [failedOnce(event), arrivedAt(shop, event, 30_000)]
        : [arrivedAt(shop, event, 0)];
    await writeDelivery(shop, endpointId, event, attempts);
  }
}

function arrivedAt({ random }: Shop, event: Event, afterMs: number): Attempt {
  return {
    startedAt: new Date(event.created_at.getTime() + 40 + afterMs),
    statusCode: 204,
    errorCode: null,
    totalMs: random.between(attemptMs.shortest, attemptMs.longest),
  };
}

function failedOnce(event: Event): Attempt {
  return {
    startedAt: new Date(event.created_at.getTime() + 40),
    statusCode: 503,
    errorCode: null,
    totalMs: 212,
  };
}

/** All seven, by the waits of the specification. */
function failedAttempts(event: Event): Attempt[] {
  let at = event.created_at.getTime() + 40;
  return [0, ...waitsSeconds].map((wait) => {
    at += wait * 1_000;
    return { startedAt: new Date(at), statusCode: null, errorCode: "connect_failed", totalMs: 2 };
  });
}

/** A delivery that has ended, as the sender would have written it. */
async function writeDelivery(
  { services: { db }, access: { accountId } }: Shop,
  endpointId: string,
  event: Event,
  attempts: readonly Attempt[],
): Promise<void> {
  const last = attempts.at(-1);
  if (last === undefined) return;
  const isDelivered = last.statusCode === 204;
  const account = toUuid(accountId);
  const endpoint = toUuid(endpointId);
  const id = toUuid(newId("dlv"));
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into webhook_delivery (id, account_id, event_id, endpoint_id, status, drop_reason, attempts,
         deadline_at, last_status_code, last_error_code, created_at, finished_at, enqueued_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz + interval '48 hours', $9, $10, $8, $11, $8)`,
      [
        id,
        account,
        event.id,
        endpoint,
        isDelivered ? "delivered" : "dropped",
        isDelivered ? null : "attempts_exhausted",
        attempts.length,
        event.created_at,
        last.statusCode,
        last.errorCode,
        new Date(last.startedAt.getTime() + last.totalMs),
      ],
    );
    for (const [index, attempt] of attempts.entries()) {
      const answered = attempt.statusCode !== null;
      await tx.query(
        `insert into webhook_attempt (id, account_id, delivery_id, endpoint_id, event_type, number, started_at,
           status_code, error_code, dns_ms, connect_ms, first_byte_ms, total_ms, response_headers, response_body)
         values (uuidv7(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          account,
          id,
          endpoint,
          event.type,
          index + 1,
          attempt.startedAt,
          attempt.statusCode,
          attempt.errorCode,
          0,
          answered ? 1 : null,
          answered ? attempt.totalMs - 2 : null,
          attempt.totalMs,
          answered
            ? JSON.stringify({ date: attempt.startedAt.toUTCString(), connection: "close" })
            : null,
          answered ? Buffer.from(attempt.statusCode === 503 ? "Restarting" : "") : null,
        ],
      );
    }
  });
}
