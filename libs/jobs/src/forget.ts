import { isId, toUuid } from "@cardvault/kit";
import type { Database } from "@cardvault/db";
import type { JobStore, StandingEntry } from "./stores/job-store.ts";
import type { WorkSource } from "./work-source.ts";

const entriesAtOnce = 1_000;

/**
 * Takes from the store what works on a row that is not there: the rows of an account that was removed. Each
 * would find nothing when it is due, but that may be a day from now. Reads the whole queue, piece by piece;
 * a row is committed before its job is put there, so none is taken that is still wanted.
 * @returns how many
 */
export async function forgetLost(
  db: Database,
  store: JobStore,
  sources: readonly WorkSource[],
): Promise<number> {
  let forgotten = 0;
  for (let after: string | null = null; ;) {
    const { entries, next } = await store.standingAfter(after, entriesAtOnce);
    for (const source of sources) {
      const lost = await findLost(db, source, entries);
      if (lost.length > 0) await store.remove(lost);
      forgotten += lost.length;
    }
    if (next === null) return forgotten;
    after = next;
  }
}

/** The store's ids of those whose row is gone. */
async function findLost(
  db: Database,
  { table, dataMember, idPrefix }: WorkSource,
  entries: readonly StandingEntry[],
): Promise<string[]> {
  const own = entries.filter(
    (entry) => entry.dataMember === dataMember && isId(idPrefix, entry.id),
  );
  if (own.length === 0) return [];
  const uuids = own.map(({ id }) => toUuid(id, idPrefix));
  const rows = await db.query<{ id: string }>(
    `select id from ${table} where id = any ($1::uuid[])`,
    [uuids],
  );
  const present = new Set(rows.map(({ id }) => id));
  return own.flatMap(({ entryId }, place) => (present.has(uuids[place] ?? "") ? [] : [entryId]));
}
