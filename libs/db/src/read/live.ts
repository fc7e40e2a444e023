import type { LiveCounters } from "@cardvault/contract";
import { maxLiveCount } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { listJobsChangedSince } from "../work/jobs.ts";
import type { JobRow } from "../work/jobs.ts";

/** NOTIFY channel that says, with the account's id, that something of an account has changed. */
export const liveChannel = "vault_live";

/** What of an account has changed after a moment of its clock. */
export interface AccountChanges {
  /** The account's clock: whatever commits later has a later stamp. */
  until: Date;
  cards: string[];
  batches: string[];
  listings: string[];
}

interface ChangesRow {
  until: Date;
  cards: string[];
  batches: string[];
  listings: string[];
}

const changedSince = (table: string): string =>
  `array(select c.id from ${table} c where c.account_id = $1 and c.updated_at > $2 order by c.updated_at, c.id limit $3)`;

/**
 * Each kind up to `limit`, the first changed first. One statement sees one moment: the clock's row is
 * written by each change, so all stamps up to `until` are there, and none after it.
 */
export async function readAccountChanges(
  db: Queryable,
  accountId: string,
  since: Date,
  limit: number,
): Promise<AccountChanges | undefined> {
  const [row] = await db.query<ChangesRow>(
    `select k.last_change as until, ${changedSince("card")} as cards, ${changedSince("batch")} as batches,
       ${changedSince("listing")} as listings
     from account_clock k where k.account_id = $1`,
    [toUuid(accountId), since, limit],
    "account_changes",
  );
  if (row === undefined) return undefined;
  return {
    until: row.until,
    cards: row.cards.map((id) => toId("card", id)),
    batches: row.batches.map((id) => toId("batch", id)),
    listings: row.listings.map((id) => toId("lst", id)),
  };
}

/** What an account is told beside its changes. */
export interface LiveState {
  counters: LiveCounters;
  /** Those that changed since the given moment. */
  jobs: JobRow[];
}

const unreadOf = (account: string): string =>
  `select created_at from notice n where n.account_id = ${account} and n.read_at is null limit ${maxLiveCount}`;
const droppedOf = (account: string): string =>
  `select finished_at from webhook_delivery d where d.account_id = ${account} and d.status = 'dropped'
     and d.dismissed_at is null and d.drop_reason <> 'endpoint_removed' limit ${maxLiveCount}`;

export async function readLiveState(
  db: Queryable,
  accountId: string,
  jobsSince: Date,
): Promise<LiveState> {
  const [[row], jobs] = await Promise.all([
    db.query<LiveCounters>(
      `select (select count(*) from (${unreadOf("$1")}) n) as unread_notices,
         (select count(*) from (${droppedOf("$1")}) d) as dropped_events`,
      [toUuid(accountId)],
      "live_counters",
    ),
    listJobsChangedSince(db, accountId, jobsSince),
  ]);
  return { counters: row ?? { unread_notices: 0, dropped_events: 0 }, jobs };
}

/** A text that is another one after every change that somebody who follows the account is told of. */
export async function readLiveDigests(
  db: Queryable,
  accountIds: readonly string[],
  jobsSince: Date,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; digest: string }>(
    `select w.id, concat_ws(' ', k.last_change, n.unread, d.dropped, j.changed) as digest
     from unnest($1::uuid[]) as w (id) join account_clock k on k.account_id = w.id
     cross join lateral (select count(*) as unread from (${unreadOf("w.id")}) n) n
     cross join lateral (select count(*) as dropped from (${droppedOf("w.id")}) d) d
     cross join lateral (select hashtextextended(string_agg(concat(j.id, j.status, j.updated_at), ' ' order by j.id), 0) as changed
       from job j where j.account_id = w.id and j.updated_at > $2) j`,
    [accountIds.map((id) => toUuid(id)), jobsSince],
    "live_digests",
  );
  return new Map(rows.map(({ id, digest }) => [toId("acc", id), digest]));
}
