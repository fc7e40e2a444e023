import { maxExactCount } from "@cardvault/contract";
import { createHash } from "node:crypto";
import type { Queryable } from "../connection/database.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { Position } from "./cursor.ts";
import type { StatementParts } from "./statement.ts";

/** A column that a list can be sorted by. */
export interface SortColumn {
  column: string;
  type: "timestamptz" | "bigint" | "text";
  isNullable?: boolean | undefined;
}

export interface KeysetList {
  /** Stands in the statement's name and in the cursor. */
  name: string;
  table: string;
  /** What is read of a row, from the alias `c`; `id` and `sort_value` are added. */
  projection: string;
  sorts: Readonly<Record<string, SortColumn>>;
  /**
   * For filters of which some values are rare and others are nearly all rows: the plan has to know the
   * values, so the statement is not a prepared one.
   */
  isPlannedEachTime?: boolean | undefined;
}

export interface KeysetQuery {
  accountId: string;
  /** `-` before it descends. */
  sort: string;
  limit: number;
  cursor?: string | undefined;
  /** The filters as they were asked for, in a fixed order. */
  scope: readonly unknown[];
}

export interface SortedRow {
  id: string;
  sort_value: Date | number | string | null;
}

export interface KeysetPage<Row> {
  rows: (Row & SortedRow)[];
  next_cursor: string | null;
  has_more: boolean;
}

/**
 * One page, in one prepared statement whose text depends on the query's shape only. One row more
 * than asked for is read, to know whether there are others. Nulls come last in both directions, so a
 * nullable sort is two ranges of the same index, one behind the other.
 */
export async function readPage<Row>(
  db: Queryable,
  list: KeysetList,
  query: KeysetQuery,
  parts: StatementParts,
): Promise<KeysetPage<Row>> {
  const isDescending = query.sort.startsWith("-");
  const sort = list.sorts[isDescending ? query.sort.slice(1) : query.sort];
  if (sort === undefined) throw new Error(`The list ${list.name} has no sort ${query.sort}`);
  const scope = [list.name, query.accountId, query.sort, ...query.scope];
  const after =
    query.cursor === undefined
      ? undefined
      : decodeCursor(scope, query.cursor, (value) => isValueOf(sort, value));
  const text = pageStatement(list, sort, isDescending, after, query.limit + 1, parts);
  const name = list.isPlannedEachTime === true ? undefined : statementName(list.name, text);
  const found = await db.query<Row & SortedRow>(text, parts.values, name);
  const rows = found.slice(0, query.limit);
  const last = rows.at(-1);
  const hasMore = found.length > query.limit && last !== undefined;
  return {
    rows,
    next_cursor: hasMore ? encodeCursor(scope, positionOf(last)) : null,
    has_more: hasMore,
  };
}

/** How many rows a list has, counted up to one more than {@link maxExactCount}. */
export async function countRows(
  db: Queryable,
  { table }: Pick<KeysetList, "table">,
  { conditions, values }: StatementParts,
): Promise<number> {
  const counted = `select 1 from ${table} c where ${conditions.join(" and ")} limit ${maxExactCount + 1}`;
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from (${counted}) c`,
    values,
  );
  return row?.count ?? 0;
}

function pageStatement(
  list: KeysetList,
  { column, type, isNullable = false }: SortColumn,
  isDescending: boolean,
  after: Position | undefined,
  rowCount: number,
  parts: StatementParts,
): string {
  const direction = isDescending ? " desc" : "";
  const order = `order by c.${column}${direction}, c.id${direction}`;
  const limit = `limit ${parts.bind(rowCount, "int")}`;
  const past = isDescending ? "<" : ">";
  const branch = (...more: string[]): string =>
    `select * from ${list.table} c where ${[...parts.conditions, ...more].join(" and ")} ${order} ${limit}`;
  const projection = `select c.id, c.${column} as sort_value, ${list.projection}`;
  const afterId = after === undefined ? "" : parts.bind(after.id, "uuid");
  if (after?.value === null) {
    const nulls = branch(`c.${column} is null`, `c.id ${past} ${afterId}`);
    return `${projection} from (${nulls}) c ${order}`;
  }
  const pastCursor =
    after === undefined
      ? []
      : [`(c.${column}, c.id) ${past} (${parts.bind(after.value, type)}, ${afterId})`];
  if (!isNullable) return `${projection} from (${branch(...pastCursor)}) c ${order}`;
  const values = branch(`c.${column} is not null`, ...pastCursor);
  const nulls = branch(`c.${column} is null`);
  return (
    `${projection} from ((${values}) union all (${nulls})) c ` +
    `order by c.${column}${direction} nulls last, c.id${direction} ${limit}`
  );
}

/** PostgreSQL cuts names at 63 bytes, and the same name must always say the same text. */
const names = new Map<string, string>();
function statementName(list: string, text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${list}_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`;
  names.set(text, name);
  return name;
}

export function positionOf({ id, sort_value }: SortedRow): Position {
  return { id, value: sort_value instanceof Date ? sort_value.toISOString() : sort_value };
}

export function isValueOf(sort: SortColumn, value: Position["value"]): boolean {
  if (value === null) return sort.isNullable === true;
  if (sort.type === "bigint") return Number.isSafeInteger(value);
  if (typeof value !== "string" || value.includes("\u0000")) return false;
  return sort.type === "text" || !Number.isNaN(Date.parse(value));
}
