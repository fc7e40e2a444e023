import type { CardSelection, Condition } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { selectedCards } from "../read/selection.ts";
import { StatementParts } from "../read/statement.ts";
import { endOf, readForm } from "./form.ts";

/** What a card's label shows. */
export interface LabelCard {
  id: string;
  sku: string | null;
  title: string | null;
  set: string | null;
  number: string | null;
  /** Or its grade, as on the slab. */
  condition: string | null;
  location: string | null;
}

const conditionLetters: Record<Condition, string> = {
  near_mint: "NM",
  lightly_played: "LP",
  moderately_played: "MP",
  heavily_played: "HP",
  damaged: "DMG",
};

/** The cards of a selection in the order in which they lie, then by SKU. */
export async function readLabelCards(
  db: Queryable,
  accountId: string,
  selection: CardSelection,
  limit: number,
): Promise<LabelCard[]> {
  const parts = new StatementParts();
  const selected = await selectedCards(db, accountId, selection, parts);
  const rows = await db.query<LabelCard & { condition: Condition | null; grade: string | null }>(
    `select c.id, c.sku, c.title, c.set_name as set, c.number, c.condition, c.location,
       c.grader || ' ' || c.grade as grade
     from card c where c.account_id = $1 and c.id in (${selected})
     order by natural_order(c.location) nulls last, natural_order(c.sku) nulls last, c.id
     limit ${parts.bind(limit, "int")}`,
    parts.values,
  );
  return rows.map(({ grade, condition, ...row }) => ({
    ...row,
    id: toId("card", row.id),
    condition: grade ?? (condition === null ? null : conditionLetters[condition]),
  }));
}

/** What a place's label shows. */
interface LabelPlace {
  path: string;
  code: string | null;
  separator: string;
}

/**
 * Places that are named, in their order, whether cards lie there or not; or all within one (null: within
 * the account) where cards lie or of which something is known.
 */
export async function readLabelPlaces(
  db: Queryable,
  accountId: string,
  wanted: { paths: readonly string[] } | { within: string | null },
  limit: number,
): Promise<LabelPlace[]> {
  const { separator } = await readForm(db, accountId);
  const rows =
    "paths" in wanted
      ? await db.query<Omit<LabelPlace, "separator">>(
          `select n.path, k.code from unnest($2::text[]) with ordinality as n (path, turn)
           left join known_place k on k.account_id = $1 and k.path = n.path order by n.turn limit $3`,
          [toUuid(accountId), wanted.paths, limit],
        )
      : await placesWithin(db, accountId, wanted.within, separator, limit);
  return rows.map((row) => ({ ...row, separator }));
}

function placesWithin(
  db: Queryable,
  accountId: string,
  within: string | null,
  separator: string,
  limit: number,
): Promise<Omit<LabelPlace, "separator">[]> {
  const prefix = within === null ? "" : within + separator;
  return db.query(
    `select p.path, k.code from (
       select t.location as path from location_total t
       where t.account_id = $1 and t.cards > 0 and (t.location = $2 or (t.location >= $3 and t.location < $4))
       union
       select o.path from known_place o
       where o.account_id = $1 and (o.path = $2 or (o.path >= $3 and o.path < $4))
     ) p left join known_place k on k.account_id = $1 and k.path = p.path
     order by natural_order(p.path), p.path limit $5`,
    [toUuid(accountId), within, prefix, endOf(prefix), limit],
  );
}
