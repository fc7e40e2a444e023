import { VaultError } from "@cardvault/contract";
import type { Place, PlaceList, PlaceSave } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { written } from "../people/written.ts";
import { afterPrefix } from "../read/statement.ts";
import { endOf, readForm } from "./form.ts";

interface PlaceRow {
  path: string;
  code: string | null;
  note: string | null;
  capacity: number | null;
  created_at: Date;
  updated_at: Date;
}

const columns = "k.path, k.code, k.note, k.capacity, k.created_at, k.updated_at";

function placeAnswer({ path, code, note, capacity, created_at, updated_at }: PlaceRow): Place {
  return {
    path,
    code,
    note,
    capacity,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** What is known of places, by path; those of which nothing is known are missing. */
export async function findPlaces(
  db: Queryable,
  accountId: string,
  paths: readonly string[],
): Promise<Map<string, Place>> {
  const rows = await db.query<PlaceRow>(
    `select ${columns} from known_place k where k.account_id = $1 and k.path = any ($2)`,
    [toUuid(accountId), paths],
    "find_places",
  );
  return new Map(rows.map((row) => [row.path, placeAnswer(row)]));
}

/**
 * What is known of a place, held until the transaction ends; null where that is nothing. One that is
 * described for the first time is held by its path, so that two who do so come one after the other.
 */
export async function lockPlace(
  tx: Queryable,
  accountId: string,
  path: string,
): Promise<Place | null> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('place ' || $1::text || ' ' || $2, 0))`,
    [toUuid(accountId), path],
  );
  const [row] = await tx.query<PlaceRow>(
    `select ${columns} from known_place k where k.account_id = $1 and k.path = $2 for update`,
    [toUuid(accountId), path],
  );
  return row === undefined ? null : placeAnswer(row);
}

/** The path of the place with this code; null where there is none. Exactly, in its case. */
export async function findPlaceByCode(
  db: Queryable,
  accountId: string,
  code: string,
): Promise<string | null> {
  const [row] = await db.query<{ path: string }>(
    `select path from known_place where account_id = $1 and code = $2`,
    [toUuid(accountId), code],
    "find_place_by_code",
  );
  return row?.path ?? null;
}

/**
 * Places by path, with what lies there and within.
 * @param after the path of the last one of the page before
 */
export async function listPlaces(
  db: Queryable,
  accountId: string,
  { after = "", limit }: { after?: string | undefined; limit: number },
): Promise<PlaceList> {
  const { separator } = await readForm(db, accountId);
  const rows = await db.query<PlaceRow & { present: number; copies: number }>(
    `select ${columns}, coalesce(s.present, 0) as present, coalesce(s.copies, 0) as copies
     from known_place k, lateral (
       select sum(t.present) as present, sum(t.copies) as copies from location_total t
       where t.account_id = $1 and (t.location = k.path
         or (t.location >= k.path || $3 and t.location < k.path || $4))
     ) s
     where k.account_id = $1 and k.path > $2 order by k.path limit $5`,
    [toUuid(accountId), after, separator, afterPrefix(separator), limit + 1],
    "list_places",
  );
  return {
    data: rows
      .slice(0, limit)
      .map((row) => ({ ...placeAnswer(row), present: row.present, copies: row.copies })),
    has_more: rows.length > limit,
  };
}

/**
 * Writes what is known of a place, by its path.
 * @throws VaultError `conflict` for a code that another place has
 */
export async function savePlace(
  db: Queryable,
  accountId: string,
  { path, code, note, capacity }: Omit<PlaceSave, "expected">,
  now: Date,
): Promise<Place> {
  if (code !== null) {
    const owner = await findPlaceByCode(db, accountId, code);
    if (owner !== null && owner !== path) {
      throw new VaultError("conflict", { message: `The code is that of ${owner}.` });
    }
  }
  const [row] = await db.query<PlaceRow>(
    `insert into known_place as k (account_id, path, code, note, capacity, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (account_id, path) do update set code = excluded.code, note = excluded.note,
       capacity = excluded.capacity, updated_at = excluded.updated_at
     returning ${columns}`,
    [toUuid(accountId), path, code, note, capacity, now],
  );
  return placeAnswer(written(row));
}

/** @throws VaultError `not_found` where nothing is known of it */
export async function removePlace(db: Queryable, accountId: string, path: string): Promise<void> {
  const rows = await db.query(
    `delete from known_place where account_id = $1 and path = $2 returning 1`,
    [toUuid(accountId), path],
  );
  if (rows.length === 0) throw new VaultError("not_found");
}

/**
 * Renames what is known of places as their cards are renamed. Where something is known of the new place
 * that stays, and fills up what it lacks from the old one.
 */
export async function renamePlaces(
  tx: Queryable,
  accountId: string,
  rename: { from: string; to: string; withinToo: boolean; separator: string },
  now: Date,
): Promise<void> {
  const { from, to, withinToo, separator } = rename;
  const within = from + separator;
  // Those whose new path would be too long stay, as their cards do.
  const gone = await tx.query<PlaceRow>(
    `delete from known_place k where k.account_id = $1
       and (k.path = $2 or ($4 and k.path >= $5 and k.path < $6))
       and length($3 || substr(k.path, length($2::text) + 1)) <= 120
     returning ${columns}`,
    [toUuid(accountId), from, to, withinToo, within, endOf(within)],
  );
  await tx.query(
    `insert into known_place as k (account_id, path, code, note, capacity, created_at, updated_at)
     select $1, n.path, n.code, n.note, n.capacity, n.created_at, $7
     from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[])
       as n (path, code, note, capacity, created_at)
     on conflict (account_id, path) do update set code = coalesce(k.code, excluded.code),
       note = coalesce(k.note, excluded.note), capacity = coalesce(k.capacity, excluded.capacity),
       updated_at = excluded.updated_at`,
    [
      toUuid(accountId),
      gone.map((row) => to + row.path.slice(from.length)),
      gone.map(({ code }) => code),
      gone.map(({ note }) => note),
      gone.map(({ capacity }) => capacity),
      gone.map(({ created_at }) => created_at),
      now,
    ],
  );
}
