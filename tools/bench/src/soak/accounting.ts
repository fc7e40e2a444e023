import { toId, toUuid } from "@cardvault/kit";
import type { Database } from "@cardvault/db";
import type { Stack } from "../stack/stack.ts";
import type { Told } from "./api-clients.ts";
import type { MarketCounts } from "./market-work.ts";
import type { TrafficResult } from "./traffic.ts";
import type { World } from "./world.ts";

/** What must be nothing. */
export interface Accounting {
  /** Events that an endpoint did not receive, or that are missing among the dead one's deliveries. */
  readonly lost: number;
  /** Received, and no committed event. */
  readonly phantoms: number;
  /** Changes that somebody was told of, and that have no event. */
  readonly without_event: number;
  /** Events of the shops that no client was told of. */
  readonly unexpected_events: number;
  /** Entries of cards' histories without their events, and events without an entry. */
  readonly unrecorded: number;
  /** Versions of cards that a poller was told of, or that there are at the end, and that it has not seen. */
  readonly poller_missed: number;
}

interface EventRow {
  readonly id: string;
  readonly account_id: string;
  readonly type: string;
  readonly subject_id: string | null;
  readonly created_at: Date;
}

/** The time in which all happened: what came later may still be on its way. */
export interface Span {
  readonly since: string;
  readonly until: string;
}

/** What clients were told, what cards' histories and the outbox hold, and what was received: all must agree. */
export async function accountFor(
  { services: { db } }: Stack,
  world: World,
  { told, seen }: TrafficResult,
  market: MarketCounts,
  span: Span,
): Promise<Accounting> {
  const events = await db.query<EventRow>(
    "select id, account_id, type, subject_id, created_at from webhook_event",
  );
  const { lost, phantoms } = await compareReceived(db, world, events, span);
  const shops = new Set(
    world.clients
      .filter(({ writesPerSecond }) => writesPerSecond > 0)
      .map(({ accountId }) => toUuid(accountId)),
  );
  const moves = new Set(told.filter(([, , , isMove]) => isMove).map(([id, , at]) => `${id} ${at}`));
  const fired = new Set(
    events
      .filter((event) => shops.has(event.account_id))
      .map((event) => `${toId("card", event.subject_id ?? "")} ${event.created_at.toISOString()}`),
  );
  return {
    lost,
    phantoms,
    without_event: countMissing(moves, fired) + withoutListingEvent(events, market),
    unexpected_events: countMissing(fired, moves),
    unrecorded: await countUnrecorded(db),
    poller_missed: await countUnseen(db, world, told, seen, span),
  };
}

/** Every endpoint against the events of its account. The dead one has received none, and is still owed all. */
async function compareReceived(
  db: Database,
  { endpoints, receiver }: World,
  events: readonly EventRow[],
  { until }: Span,
): Promise<{ lost: number; phantoms: number }> {
  const sums = { lost: 0, phantoms: 0 };
  for (const { id, accountId, path, kind } of endpoints) {
    const account = toUuid(accountId);
    const fired = events.filter((event) => event.account_id === account);
    const idsOf = (rows: readonly EventRow[]) => new Set(rows.map((row) => toId("evt", row.id)));
    const due = idsOf(fired.filter(({ created_at }) => created_at.toISOString() < until));
    const had =
      kind === "dead"
        ? (await owed(db, id)).map((event) => toId("evt", event))
        : (await receiver.ask<[eventId: string, times: number][]>("received", path)).map(
            ([event]) => event,
          );
    const ids = new Set(had);
    sums.lost += countMissing(due, ids);
    sums.phantoms += countMissing(ids, idsOf(fired));
  }
  return sums;
}

async function owed(db: Database, endpointId: string): Promise<string[]> {
  const rows = await db.query<{ event_id: string }>(
    `select event_id from webhook_delivery
     where endpoint_id = $1 and status in ('pending', 'retrying')`,
    [toUuid(endpointId)],
  );
  return rows.map(({ event_id }) => event_id);
}

/** Each listing that came to be live, sold or ended has its event. */
function withoutListingEvent(events: readonly EventRow[], market: MarketCounts): number {
  const fired = new Set(events.map(({ type, subject_id }) => `${type} ${subject_id}`));
  const expected = (["published", "sold", "ended"] as const).flatMap((what) =>
    market[what].map((id) => `listing.${what} ${toUuid(id)}`),
  );
  return countMissing(expected, fired);
}

/** A card's history is written by the same commit as its events, and names them: neither may be alone. */
async function countUnrecorded(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with named as (select unnest(event_ids) as id from card_change),
       of_cards as (select id from webhook_event where type like 'card.%')
     select (select count(*) from named where id not in (select id from webhook_event))
       + (select count(*) from of_cards where id not in (select id from named))
       + (select count(*) from card_change c where changes ? 'workflow_status' and not created
          and not exists (select 1 from webhook_event e where e.subject_id = c.card_id
            and e.created_at = c.changed_at and e.type = 'card.workflow_status_changed')) as count`,
  );
  return row?.count ?? Number.NaN;
}

async function countUnseen(
  db: Database,
  { clients }: World,
  told: readonly Told[],
  seen: TrafficResult["seen"],
  { since, until }: Span,
): Promise<number> {
  let missed = 0;
  const everywhere = new Map<string, number>();
  for (const { accountId } of clients) {
    const versions = new Map(seen[accountId]);
    for (const [id, version] of versions) everywhere.set(id, version);
    const rows = await db.query<{ id: string; version: number }>(
      "select id, version from card where account_id = $1 and updated_at >= $2 and updated_at < $3",
      [toUuid(accountId), since, until],
    );
    missed += rows.filter(({ id, version }) => versions.get(toId("card", id)) !== version).length;
  }
  // A later version that was seen stands for those before it: no poller can be shown them any more.
  return missed + told.filter(([id, version]) => (everywhere.get(id) ?? 0) < version).length;
}

/** How many of the first are not among the second. */
function countMissing(first: Iterable<string>, second: ReadonlySet<string>): number {
  return [...first].filter((one) => !second.has(one)).length;
}
