import { defaultSort, maxAnchors, maxExactCount, relevance } from "@cardvault/contract";
import type {
  CardAnchors,
  CardAnchorsInput,
  CardFilter,
  CardIds,
  CardIdsInput,
} from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { addSessionFilters } from "./card-filters.ts";
import { addExact, addSearch, rankOf, readSearch } from "./card-search.ts";
import { isKept } from "./card-totals.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { Position } from "./cursor.ts";
import { isValueOf, positionOf } from "./keyset.ts";
import type { SortColumn, SortedRow } from "./keyset.ts";
import { scopeOf } from "./list-answer.ts";
import { addFilter } from "./selection.ts";
import { StatementParts } from "./statement.ts";

const sorts: Readonly<Record<string, SortColumn>> = {
  created_at: { column: "created_at", type: "timestamptz" },
  updated_at: { column: "updated_at", type: "timestamptz" },
  asking_price: { column: "asking_price", type: "bigint", isNullable: true },
  market_price: { column: "market_price", type: "bigint", isNullable: true },
  title: { column: "title", type: "text", isNullable: true },
  location: { column: "location_order", type: "text", isNullable: true },
  set_number: { column: "set_order", type: "text", isNullable: true },
};

const bytesPerId = 16;

interface Order extends SortColumn {
  isDescending: boolean;
  /** What a cursor is bound to. */
  scope: readonly unknown[];
}

/** Cards with a value of the order's column come first, those without behind them: two ranges of its index. */
interface Range {
  isNull: boolean;
  after: Position | undefined;
}

/** Ids behind one another, 16 bytes each, with the sort value of the last that was asked for. */
interface IdsRow {
  ids: Buffer | null;
  count: number;
  last_value: SortedRow["sort_value"];
}

/**
 * Which cards a list holds, packed, in the order of this moment. Rows are fetched by these ids, so no later
 * change moves one. A list of few is found by its filter and then put in order; one of many is read in order
 * until there are enough. So the way is right whatever share of the cards a filter lets through.
 * @throws VaultError `invalid_cursor`
 */
export async function listCardIds(
  db: Queryable,
  accountId: string,
  { filter, sort, limit, after }: CardIdsInput,
): Promise<CardIds> {
  if (sort === relevance || (sort === undefined && filter.search !== undefined)) {
    return listBest(db, accountId, filter, limit);
  }
  const order = orderOf(accountId, filter, sort ?? defaultSort);
  const position = startOf(order, after);
  if (position === undefined && !isKept(filter)) {
    const few = await readFew(db, accountId, filter, order, limit);
    if (few !== undefined) return answer(order, [few], limit);
  }
  const found: IdsRow[] = [];
  for (const range of rangesOf(order, position)) {
    const missing = limit + 1 - countOf(found);
    if (missing <= 0) break;
    found.push(await readRange(db, accountId, filter, order, range, missing));
  }
  return answer(order, found, limit);
}

/**
 * A cursor for every so many cards, for lists that are longer than what {@link listCardIds} answers at once.
 * @throws VaultError `invalid_cursor`
 */
export async function listCardAnchors(
  db: Queryable,
  accountId: string,
  { filter, sort, after, every }: CardAnchorsInput,
): Promise<CardAnchors> {
  const order = orderOf(accountId, filter, sort ?? defaultSort);
  const anchors: string[] = [];
  let count = 0;
  const most = every * maxAnchors + 1;
  for (const range of rangesOf(order, startOf(order, after))) {
    if (count >= most) break;
    const parts = await filtered(db, accountId, filter);
    const rows = rangeStatement(order, range, most - count, parts);
    const isAnchor = `filter (where n % ${parts.bind(every, "int")} = 0)`;
    const [row] = await db.query<{
      count: number;
      ids: string[] | null;
      values: SortedRow["sort_value"][] | null;
    }>(
      `select count(*) as count, array_agg(id) ${isAnchor} as ids, array_agg(sort_value) ${isAnchor} as values
       from (select id, sort_value, row_number() over () + ${parts.bind(count, "bigint")} as n from (${rows}) r) r`,
      parts.values,
    );
    for (const [index, id] of (row?.ids ?? []).entries()) {
      const position = positionOf({ id, sort_value: row?.values?.[index] ?? null });
      anchors.push(encodeCursor(order.scope, position));
    }
    count += row?.count ?? 0;
  }
  const isCut = count >= most;
  return { anchors: anchors.slice(0, maxAnchors), count: Math.min(count, most - 1), is_cut: isCut };
}

function orderOf(accountId: string, filter: CardFilter, sort: string): Order {
  const isDescending = sort.startsWith("-");
  const column = sorts[isDescending ? sort.slice(1) : sort];
  if (column === undefined) throw new Error(`There is no order by ${sort}`);
  return { ...column, isDescending, scope: ["card_ids", accountId, sort, ...scopeOf(filter)] };
}

function startOf(order: Order, after: string | undefined): Position | undefined {
  if (after === undefined) return undefined;
  return decodeCursor(order.scope, after, (value) => isValueOf(order, value));
}

function rangesOf({ isNullable = false }: Order, after: Position | undefined): Range[] {
  if (after?.value === null) return [{ isNull: true, after }];
  const values = { isNull: false, after };
  return isNullable ? [values, { isNull: true, after: undefined }] : [values];
}

/** A new statement with the account and what the filter says. */
async function filtered(
  db: Queryable,
  accountId: string,
  filter: CardFilter,
): Promise<StatementParts> {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  await addFilter(db, accountId, parts, filter);
  return parts;
}

/** Ids and sort values of a range in its order, from the index alone where the filter lets it. */
function rangeStatement(
  { column, type, isNullable = false, isDescending }: Order,
  { isNull, after }: Range,
  rowCount: number,
  parts: StatementParts,
): string {
  const past = isDescending ? "<" : ">";
  const direction = isDescending ? " desc" : "";
  const conditions = [...parts.conditions];
  if (isNullable) conditions.push(`c.${column} is ${isNull ? "" : "not "}null`);
  if (after !== undefined && isNull) {
    conditions.push(`c.id ${past} ${parts.bind(after.id, "uuid")}`);
  } else if (after !== undefined) {
    const position = `(${parts.bind(after.value, type)}, ${parts.bind(after.id, "uuid")})`;
    conditions.push(`(c.${column}, c.id) ${past} ${position}`);
  }
  return (
    `select c.id, c.${column} as sort_value from card c where ${conditions.join(" and ")} ` +
    `order by c.${column}${direction}, c.id${direction} limit ${parts.bind(rowCount, "int")}`
  );
}

async function readRange(
  db: Queryable,
  accountId: string,
  filter: CardFilter,
  order: Order,
  range: Range,
  rowCount: number,
): Promise<IdsRow> {
  const parts = await filtered(db, accountId, filter);
  const rows = rangeStatement(order, range, rowCount, parts);
  return readIds(db, rows, rowCount - 1, parts);
}

/** All of a list of few; undefined where there are too many to be found first and put in order then. */
async function readFew(
  db: Queryable,
  accountId: string,
  filter: CardFilter,
  { column, isDescending }: Order,
  limit: number,
): Promise<IdsRow | undefined> {
  const parts = await filtered(db, accountId, filter);
  const few = fewOf(`c.${column} as sort_value`, parts);
  const direction = isDescending ? " desc" : "";
  const order = `order by sort_value${direction} nulls last, id${direction}`;
  const row = await readIds(db, `${few} select id, sort_value from few ${order}`, limit, parts);
  return row.count > maxExactCount ? undefined : row;
}

/** Found by the filter before anything is put in order. */
function fewOf(columns: string, parts: StatementParts): string {
  return (
    `with few as materialized (select c.id, ${columns} from card c ` +
    `where ${parts.conditions.join(" and ")} limit ${maxExactCount + 1})`
  );
}

/** PostgreSQL puts the ids behind one another: a hundred thousand rows would cost more to read here. */
async function readIds(
  db: Queryable,
  rows: string,
  lastPlace: number,
  parts: StatementParts,
): Promise<IdsRow> {
  const [row] = await db.query<IdsRow>(
    `select string_agg(uuid_send(id), '') as ids, count(*) as count,
       (array_agg(sort_value))[${parts.bind(lastPlace, "int")}] as last_value from (${rows}) r`,
    parts.values,
  );
  return row ?? { ids: null, count: 0, last_value: null };
}

const countOf = (rows: readonly IdsRow[]): number => rows.reduce((sum, row) => sum + row.count, 0);

/** At most `limit` of what was found, which has one more where the list goes on. */
function answer(order: Order, found: readonly IdsRow[], limit: number): CardIds {
  const all = Buffer.concat(found.map((row) => row.ids ?? Buffer.alloc(0)));
  const ids = all.subarray(0, limit * bytesPerId);
  const count = ids.length / bytesPerId;
  const last = found.findLast((row) => row.count > 0);
  const goesOn = countOf(found) > limit && last !== undefined;
  // Where the last range gave only the row behind the limit, the last of the range before is the end.
  const ending = goesOn && last.count === 1 && found.length > 1 ? found.at(-2) : last;
  const next = goesOn
    ? encodeCursor(
        order.scope,
        positionOf({ id: uuidAt(ids, count - 1), sort_value: ending?.last_value ?? null }),
      )
    : null;
  return { ids: ids.toString("base64"), count, next, is_cut: false };
}

function uuidAt(ids: Buffer, index: number): string {
  const hex = ids.toString("hex", index * bytesPerId, (index + 1) * bytesPerId);
  return [0, 8, 12, 16, 20]
    .map((start, part) => hex.slice(start, [8, 12, 16, 20, 32][part]))
    .join("-");
}

/**
 * The best of a search first, the newest first among equals. Where more match than are looked at one by
 * one, those whose SKU or certificate it is and then the newest.
 */
async function listBest(
  db: Queryable,
  accountId: string,
  filter: CardFilter,
  limit: number,
): Promise<CardIds> {
  const search = await readSearch(db, accountId, filter.search ?? "");
  const start = (): StatementParts => {
    const parts = new StatementParts();
    parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
    addSessionFilters(parts, filter);
    return parts;
  };
  const parts = start();
  addSearch(parts, search);
  const few = fewOf(`c.created_at, ${rankOf(parts, search)} as rank`, parts);
  const best = await readIds(
    db,
    `${few} select id, null::text as sort_value from few order by rank, created_at desc, id desc`,
    1,
    parts,
  );
  if (best.count <= maxExactCount) return cut([best], Math.min(limit, maxExactCount), false);
  const exact = start();
  addExact(exact, search);
  const found = await readIds(
    db,
    `select c.id, null::text as sort_value from card c where ${exact.conditions.join(" and ")} limit 100`,
    1,
    exact,
  );
  const newest = orderOf(accountId, filter, defaultSort);
  const range = { isNull: false, after: undefined };
  const others = await readRange(db, accountId, filter, newest, range, maxExactCount);
  return cut([found, others], Math.min(limit, maxExactCount), true);
}

/** The first of them, each once. */
function cut(found: readonly IdsRow[], limit: number, isCut: boolean): CardIds {
  const all = Buffer.concat(found.map((row) => row.ids ?? Buffer.alloc(0)));
  const seen = new Set<string>();
  const kept: Buffer[] = [];
  for (let start = 0; start < all.length && kept.length < limit; start += bytesPerId) {
    const id = all.subarray(start, start + bytesPerId);
    const name = id.toString("latin1");
    if (!seen.has(name)) kept.push(id);
    seen.add(name);
  }
  const goesOn = isCut || countOf(found) > kept.length;
  return {
    ids: Buffer.concat(kept).toString("base64"),
    count: kept.length,
    next: null,
    is_cut: goesOn,
  };
}
