import { VaultError } from "@cardvault/contract";
import type { ActorKind, CardChange, CardHistory, ChangeVia, EventType } from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { PageQuery } from "./events.ts";

/** Fields of a card by the contract's names, before and after. */
type StoredChanges = Record<string, [from: unknown, to: unknown]>;

interface HistoryRow {
  card_id: string;
  changed_at: Date;
  version: number;
  created: boolean;
  actor_kind: ActorKind;
  actor_id: string | null;
  person: string | null;
  via: ChangeVia;
  job_id: string | null;
  changes: StoredChanges;
  events: [id: string, type: EventType | null][] | null;
}

// An event is forgotten before the history is: then only its id is left.
const columns = `h.card_id, h.changed_at, h.version, h.created, h.actor_kind, h.actor_id, h.via, h.job_id, h.changes,
  (select u.name from auth."user" u where h.actor_kind = 'member' and u.id = h.actor_id) as person,
  (select json_agg(json_build_array(f.id, e.type) order by f.place)
   from unnest(h.event_ids) with ordinality as f (id, place)
   left join webhook_event e on e.account_id = h.account_id and e.id = f.id) as events`;

/**
 * One page of what happened to a card, the latest first, with the names of people and keys.
 * @throws VaultError `card_not_found` for an id that is unknown, malformed or of another account; `invalid_cursor`
 */
export async function listCardHistory(
  db: Queryable,
  accountId: string,
  { id, limit, cursor }: PageQuery & { id: string },
): Promise<CardHistory> {
  const values = isId("card", id) ? [toUuid(accountId), toUuid(id)] : [];
  const known =
    values.length > 0 &&
    (await db.query("select 1 from card where account_id = $1 and id = $2", values, "card_exists"));
  if (known === false || known.length === 0) throw new VaultError("card_not_found");
  const scope = ["card_history", accountId, id];
  const before = cursor === undefined ? null : decodeCursor(scope, cursor, isTime).value;
  const found = await db.query<HistoryRow>(
    `select ${columns} from card_change h
     where h.account_id = $1 and h.card_id = $2 and ($3::timestamptz is null or h.changed_at < $3)
     order by h.changed_at desc limit $4`,
    [...values, before, limit + 1],
    "card_history",
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  const keys = await keyNames(db, accountId, rows);
  return {
    data: rows.map((row) => changeAnswer(row, keys)),
    next_cursor: hasMore
      ? encodeCursor(scope, { value: last.changed_at.toISOString(), id: toUuid(id) })
      : null,
    has_more: hasMore,
  };
}

/** A change of a card as it is kept, to be undone. */
export interface StoredChange {
  cardId: string;
  isCreation: boolean;
  via: ChangeVia;
  changes: StoredChanges;
  events: CardChange["events"];
}

/** The change of a card at a time; null where there is none. */
export async function findCardChange(
  db: Queryable,
  accountId: string,
  cardId: string,
  at: Date,
): Promise<StoredChange | null> {
  const [row] = await db.query<HistoryRow>(
    `select ${columns} from card_change h
     where h.account_id = $1 and h.card_id = $2 and h.changed_at = $3`,
    [toUuid(accountId), toUuid(cardId, "card"), at],
    "card_change",
  );
  return row === undefined ? null : storedChange(row);
}

/** What a job changed of these cards, by card. */
export async function readJobChanges(
  db: Queryable,
  accountId: string,
  jobId: string,
  cardIds: readonly string[],
): Promise<Map<string, StoredChange>> {
  const rows = await db.query<HistoryRow>(
    `select ${columns} from job_item i
     join card_change h on h.account_id = $1 and h.card_id = i.card_id and h.changed_at = i.changed_at
     where i.job_id = $2 and i.card_id = any ($3::uuid[])`,
    [toUuid(accountId), toUuid(jobId, "job"), cardIds.map((id) => toUuid(id, "card"))],
    "job_card_changes",
  );
  return new Map(rows.map((row) => [toId("card", row.card_id), storedChange(row)]));
}

function storedChange(row: HistoryRow): StoredChange {
  const { card_id, created, via, changes } = row;
  return {
    cardId: toId("card", card_id),
    isCreation: created,
    via,
    changes,
    events: eventsOf(row),
  };
}

async function keyNames(
  db: Queryable,
  accountId: string,
  rows: readonly HistoryRow[],
): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ actor_kind, actor_id }) =>
    actor_kind === "token" && actor_id !== null ? [actor_id] : [],
  );
  if (ids.length === 0) return new Map();
  const keys = await db.query<{ id: string; name: string }>(
    "select id, name from api_key where account_id = $1 and id = any ($2::uuid[])",
    [toUuid(accountId), ids.map((id) => toUuid(id, "key"))],
    "key_names",
  );
  return new Map(keys.map(({ id, name }) => [toId("key", id), name]));
}

function changeAnswer(row: HistoryRow, keys: ReadonlyMap<string, string>): CardChange {
  const { actor_kind: kind, actor_id: id } = row;
  return {
    at: row.changed_at.toISOString(),
    kind: row.created ? "created" : "changed",
    version: row.version,
    actor: { kind, id, name: row.person ?? keys.get(id ?? "") ?? null },
    via: row.via,
    job_id: row.job_id === null ? null : toId("job", row.job_id),
    changes: Object.entries(row.changes).map(([field, [from, to]]) => ({ field, from, to })),
    events: eventsOf(row),
  };
}

function eventsOf({ events }: HistoryRow): CardChange["events"] {
  return (events ?? []).map(([id, event]) => ({ id: toId("evt", id), event }));
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
