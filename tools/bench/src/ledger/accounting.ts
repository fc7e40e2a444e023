import { toId } from "@cardvault/kit";
import type { House } from "../webhooks/house.ts";
import type { Written } from "./writer.ts";

export interface Accounting {
  readonly events: number;
  /** Committed by an answered or read-back request, and no event was written. */
  readonly withoutEvent: number;
  /** Events of changes that did not happen. */
  readonly unexpected: number;
  /** An event that an endpoint did not receive. */
  readonly lost: number;
  /** Received, and no committed event. */
  readonly phantoms: number;
  /** Of the events that were rolled back on purpose, those that were received. */
  readonly rolledBackReceived: number;
}

/** What the clients wrote, what the outbox holds, and what each endpoint received: all must agree. */
export async function accountFor(
  { stack, receiver, accounts }: House,
  { committed }: Written,
  rolledBack: readonly string[],
): Promise<Accounting> {
  const rows = await stack.services.db.query<EventRow>(
    "select id, account_id, subject_id, created_at from webhook_event",
  );
  const changes = new Set(committed.map(([cardId, updatedAt]) => `${cardId} ${updatedAt}`));
  const written = rows.map(
    ({ subject_id: card, created_at: at }) => `${toId("card", card)} ${at.toISOString()}`,
  );
  const eventsOf = new Map<string, Set<string>>();
  for (const { id, account_id: uuid } of rows) {
    const accountId = toId("acc", uuid);
    const events = eventsOf.get(accountId) ?? new Set();
    eventsOf.set(accountId, events.add(toId("evt", id)));
  }
  let [lost, phantoms, rolledBackReceived] = [0, 0, 0];
  for (const { accountId, endpoints } of accounts) {
    const expected = eventsOf.get(accountId) ?? new Set();
    for (const { path } of endpoints) {
      const received = await receiver.ask<[eventId: string, times: number][]>("received", path);
      const ids = new Set(received.map(([id]) => id));
      lost += countMissing(expected, ids);
      phantoms += countMissing(ids, expected);
      rolledBackReceived += rolledBack.filter((id) => ids.has(id)).length;
    }
  }
  return {
    events: rows.length,
    withoutEvent: countMissing(changes, new Set(written)),
    unexpected: countMissing(written, changes),
    lost,
    phantoms,
    rolledBackReceived,
  };
}

interface EventRow {
  readonly id: string;
  readonly account_id: string;
  readonly subject_id: string;
  readonly created_at: Date;
}

/** How many of the first are not among the second. */
function countMissing(first: Iterable<string>, second: ReadonlySet<string>): number {
  return [...first].filter((one) => !second.has(one)).length;
}
