import type { CardFilter, CardSelection } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { addSessionFilters } from "./card-filters.ts";
import { addSearch, readSearch } from "./card-search.ts";
import { StatementParts } from "./statement.ts";

/** Which of a selection's cards to read: those behind an id, at most so many. */
export interface SelectionPage {
  after?: string | undefined;
  limit: number;
}

/**
 * The ids of a selection's cards, ascending. The next page begins behind the last id, so cards that are
 * made or begin to match meanwhile are seen at most once, and none is seen twice.
 */
export async function readSelectedIds(
  db: Queryable,
  accountId: string,
  selection: CardSelection,
  { after, limit }: SelectionPage,
): Promise<string[]> {
  const parts = new StatementParts();
  const cards = await selectedCards(db, accountId, selection, parts, after);
  const rows = await db.query<{ id: string }>(
    `${cards} order by c.id limit ${parts.bind(limit, "int")}`,
    parts.values,
  );
  return rows.map((row) => toId("card", row.id));
}

/**
 * A selection as a query, `select c.id from card c where …`, for statements that work on all of its cards
 * at once (`insert into … select`). It binds its values to `parts`, which must be new, because the account
 * is `$1`; more can be bound behind them. The words of a search are looked up at this moment.
 */
export async function selectedCards(
  db: Queryable,
  accountId: string,
  selection: CardSelection,
  parts: StatementParts,
  after?: string,
): Promise<string> {
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  if ("ids" in selection) {
    const ids = selection.ids.map((id) => toUuid(id, "card"));
    parts.where(`c.id = any (${parts.bind(ids, "uuid[]")})`);
  } else {
    await addFilter(db, accountId, parts, selection.filter);
    if (selection.except.length > 0) {
      const ids = selection.except.map((id) => toUuid(id, "card"));
      parts.where(`c.id <> all (${parts.bind(ids, "uuid[]")})`);
    }
  }
  if (after !== undefined) parts.where(`c.id > ${parts.bind(toUuid(after, "card"), "uuid")}`);
  return `select c.id from card c where ${parts.conditions.join(" and ")}`;
}

/** Everything that a filter of the web interface says. `$1` is the account. */
export async function addFilter(
  db: Queryable,
  accountId: string,
  parts: StatementParts,
  filter: CardFilter,
): Promise<void> {
  addSessionFilters(parts, filter);
  if (filter.search !== undefined) {
    addSearch(parts, await readSearch(db, accountId, filter.search));
  }
}
