import type { CardFilter, CardListQuery } from "@cardvault/contract";
import { isId, toUuid } from "@cardvault/kit";
import { afterPrefix } from "./statement.ts";
import type { StatementParts } from "./statement.ts";

/**
 * Filters as conditions of a statement in which `$1` is the account and `c` a card. The conditions are
 * those that the indexes have.
 */

type DocumentedFilters = Omit<CardListQuery, "limit" | "cursor" | "sort">;

/** The filters of `GET /cards`. */
export function addDocumentedFilters(parts: StatementParts, filters: DocumentedFilters): void {
  if (filters.updated_since !== undefined) {
    parts.where(`c.updated_at >= ${parts.bind(filters.updated_since, "timestamptz")}`);
  }
  parts.whereOneOf("c.status", filters.status, "text");
  parts.whereOneOf("c.workflow_status", filters.workflow_status, "text");
  parts.whereOneOf("c.game", filters.game, "text");
  parts.whereOneOf("c.sku", filters.sku, "text");
  // The literal conditions are those of the partial indexes.
  if (filters.needs_review !== undefined) {
    parts.where(filters.needs_review ? "c.needs_review" : "not c.needs_review");
  }
  if (filters.graded !== undefined) {
    parts.where(filters.graded ? "c.grader is not null" : "c.grader is null");
  }
  addBatch(parts, filters.batch);
  addSet(parts, filters.set);
  addLocation(parts, filters.location);
  if (filters.q !== undefined) {
    const words = `regexp_replace(lower(${parts.bind(filters.q, "text")}), '[^[:alnum:]]+', ' ', 'g')`;
    parts.where(`c.search @@ plainto_tsquery('simple', ${words})`);
  }
}

/** An id or a code. What has the form of an id may be a code too. */
function addBatch(parts: StatementParts, batches: readonly string[] | undefined): void {
  if (batches === undefined) return;
  const ids = batches.filter((value) => isId("batch", value)).map((value) => toUuid(value));
  const [id] = ids;
  // Codes have at most 20 characters, an id has more.
  if (id !== undefined && batches.length === 1) {
    parts.where(`c.batch_id = ${parts.bind(id, "uuid")}`);
    return;
  }
  const codes = batches.filter((value) => !isId("batch", value));
  if (codes.length === 1 && ids.length === 0) {
    parts.where(
      `c.batch_id = (select b.id from batch b where b.account_id = $1 and b.code = ${parts.bind(codes[0], "text")})`,
    );
    return;
  }
  const named = `array(select b.id from batch b where b.account_id = $1 and b.code = any (${parts.bind(codes, "text[]")}))`;
  parts.where(`c.batch_id = any (${parts.bind(ids, "uuid[]")} || ${named})`);
}

/** A name in any case, or a code. */
function addSet(parts: StatementParts, sets: readonly string[] | undefined): void {
  if (sets === undefined) return;
  const wanted =
    sets.length === 1
      ? `= lower(${parts.bind(sets[0], "text")})`
      : `= any (array(select lower(s) from unnest(${parts.bind(sets, "text[]")}) as s))`;
  parts.where(`(lower(c.set_name) ${wanted} or lower(c.set_code) ${wanted})`);
}

/** Exact, or a prefix that ends in `*`. */
function addLocation(parts: StatementParts, locations: readonly string[] | undefined): void {
  if (locations === undefined) return;
  const prefixes = locations
    .filter((value) => value.endsWith("*"))
    .map((value) => value.slice(0, -1));
  const exact = locations.filter((value) => !value.endsWith("*"));
  const [prefix] = prefixes;
  if (prefixes.length === 0) {
    parts.whereOneOf("c.location", exact, "text");
  } else if (prefix !== undefined && locations.length === 1) {
    const end = afterPrefix(prefix);
    parts.where(`c.location ~>=~ ${parts.bind(prefix, "text")}`);
    if (end !== null) parts.where(`c.location ~<~ ${parts.bind(end, "text")}`);
  } else {
    parts.where(
      `(c.location = any (${parts.bind(exact, "text[]")}) or ` +
        `c.location ^@ any (${parts.bind(prefixes, "text[]")}))`,
    );
  }
}

/** As the schema bounds them. */
const years = { first: 1800, last: 2100 };

/** The filters of the web interface, but for `search`, whose words have to be looked up first. */
export function addSessionFilters(parts: StatementParts, filter: CardFilter): void {
  addDocumentedFilters(parts, filter);
  addRange(parts, "c.asking_price", filter.price_min, filter.price_max, "bigint");
  addRange(parts, "c.market_price", filter.market_price_min, filter.market_price_max, "bigint");
  addRange(parts, "c.purchase_price", filter.cost_min, filter.cost_max, "bigint");
  addRange(parts, "c.quantity", filter.quantity_min, filter.quantity_max, "int");
  addYears(parts, filter);
  addPresence(parts, "c.asking_price", filter.has_price);
  addPresence(parts, "c.market_price", filter.has_market_price);
  addPresence(parts, "c.location", filter.has_location);
  addPresence(parts, "c.batch_id", filter.has_batch);
  if (filter.has_photo !== undefined) {
    parts.where(`c.has_photo = ${parts.bind(filter.has_photo, "boolean")}`);
  }
  parts.whereOneOf("c.condition", filter.condition, "text");
  parts.whereOneOf("c.grader", filter.grader, "text");
  parts.whereOneOf("c.grade", filter.grade, "text");
  parts.whereOneOf("c.language", filter.language, "text");
  parts.whereOneOf("c.rarity", filter.rarity, "text");
  parts.whereOneOf("c.review_reason", filter.review_reason, "text");
  if (filter.tag !== undefined) parts.where(`c.tags && ${parts.bind(filter.tag, "text[]")}`);
  if (filter.sku_prefix !== undefined) parts.where(skuPrefix(parts, filter.sku_prefix));
  if (filter.created_since !== undefined) {
    parts.where(`c.created_at >= ${parts.bind(filter.created_since, "timestamptz")}`);
  }
  if (filter.created_until !== undefined) {
    parts.where(`c.created_at < ${parts.bind(filter.created_until, "timestamptz")}`);
  }
}

/** The condition of a SKU that begins so, in any case. */
export function skuPrefix(parts: StatementParts, prefix: string): string {
  const lower = prefix.toLowerCase();
  const end = afterPrefix(lower);
  const from = `lower(c.sku) ~>=~ ${parts.bind(lower, "text")}`;
  return end === null ? from : `(${from} and lower(c.sku) ~<~ ${parts.bind(end, "text")})`;
}

function addRange(
  parts: StatementParts,
  column: string,
  min: number | undefined,
  max: number | undefined,
  type: string,
): void {
  if (min !== undefined) parts.where(`${column} >= ${parts.bind(min, type)}`);
  if (max !== undefined) parts.where(`${column} <= ${parts.bind(max, type)}`);
}

/** As single years: an inverted index answers equality per account, and a range for all accounts. */
function addYears(parts: StatementParts, { year_min: min, year_max: max }: CardFilter): void {
  if (min === undefined && max === undefined) return;
  const first = min ?? years.first;
  const wanted = Array.from({ length: Math.max(0, (max ?? years.last) - first + 1) });
  parts.whereOneOf(
    "c.year",
    wanted.map((_, index) => first + index),
    "int",
  );
}

function addPresence(parts: StatementParts, column: string, isThere: boolean | undefined): void {
  if (isThere !== undefined) parts.where(`${column} is ${isThere ? "not " : ""}null`);
}
