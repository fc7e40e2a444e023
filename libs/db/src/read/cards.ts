import { defaultSort, VaultError } from "@cardvault/contract";
import type {
  BatchCardsQuery,
  Card,
  CardList,
  CardListQuery,
  PhotoSide,
} from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { readPage } from "./keyset.ts";
import type { KeysetList } from "./keyset.ts";
import { listAnswer, scopeOf } from "./list-answer.ts";
import { afterPrefix, StatementParts } from "./statement.ts";

/** The address of a picture, given by whoever can sign it. */
export type PhotoUrl = (photoId: string, size: "full" | "thumbnail") => string;

type PhotoRow = [id: string, side: PhotoSide, width: number, height: number];

/** A card's own columns are those of the answer, but for money, grading and ids. */
type CardRow = Omit<
  Card,
  | "asking_price"
  | "price_floor"
  | "purchase_price"
  | "market_price"
  | "grading"
  | "photos"
  | "identified_at"
  | "created_at"
  | "updated_at"
> & {
  id: string;
  account_currency: string;
  asking_price: number | null;
  price_floor: number | null;
  purchase_price: number | null;
  market_price: number | null;
  market_price_currency: string | null;
  market_price_source: string | null;
  market_price_as_of: Date | null;
  grader: string | null;
  grade: string | null;
  cert_number: string | null;
  qualifier: string | null;
  identified_at: Date | null;
  created_at: Date;
  updated_at: Date;
  photos: PhotoRow[];
};

// `$1` is the account in every statement here.
const projection = `
  c.batch_id, c.sku, c.status, c.workflow_status, c.needs_review, c.review_reason, c.title, c.game,
  c.set_name as set, c.set_code, c.number, c.year, c.subject, c.team, c.manufacturer, c.variant,
  c.rarity, c.language, c.print_run, c.serial_number, c.is_rookie, c.is_autograph, c.is_memorabilia,
  c.condition, c.grader, c.grade, c.cert_number, c.qualifier, c.quantity, c.asking_price,
  c.price_floor, c.purchase_price, c.market_price, c.market_price_currency, c.market_price_source,
  c.market_price_as_of, c.location, c.external_ids, c.notes, c.tags, c.identified_by,
  c.identification_confidence, c.identified_at, c.listing_id, c.version, c.created_at, c.updated_at,
  (select a.currency from account a where a.id = $1) as account_currency,
  coalesce((select json_agg(json_build_array(p.id, p.side, p.width, p.height) order by p.position, p.id)
    from photo p where p.card_id = c.id), '[]') as photos`;

function toCard(row: CardRow, photoUrl: PhotoUrl): Card {
  const currency = row.account_currency;
  return {
    id: toId("card", row.id),
    batch_id: row.batch_id === null ? null : toId("batch", row.batch_id),
    sku: row.sku,
    status: row.status,
    workflow_status: row.workflow_status,
    needs_review: row.needs_review,
    review_reason: row.review_reason,
    title: row.title,
    game: row.game,
    set: row.set,
    set_code: row.set_code,
    number: row.number,
    year: row.year,
    subject: row.subject,
    team: row.team,
    manufacturer: row.manufacturer,
    variant: row.variant,
    rarity: row.rarity,
    language: row.language,
    print_run: row.print_run,
    serial_number: row.serial_number,
    is_rookie: row.is_rookie,
    is_autograph: row.is_autograph,
    is_memorabilia: row.is_memorabilia,
    condition: row.condition,
    grading:
      row.grader === null
        ? null
        : {
            grader: row.grader,
            grade: row.grade ?? "",
            cert_number: row.cert_number,
            qualifier: row.qualifier,
          },
    quantity: row.quantity,
    asking_price: row.asking_price === null ? null : { amount: row.asking_price, currency },
    price_floor: row.price_floor === null ? null : { amount: row.price_floor, currency },
    purchase_price: row.purchase_price === null ? null : { amount: row.purchase_price, currency },
    market_price: marketPrice(row),
    location: row.location,
    photos: row.photos.map(([uuid, side, width, height]) => {
      const id = toId("img", uuid);
      return {
        id,
        side,
        url: photoUrl(id, "full"),
        thumbnail_url: photoUrl(id, "thumbnail"),
        width,
        height,
      };
    }),
    external_ids: row.external_ids,
    notes: row.notes,
    tags: row.tags,
    identified_by: row.identified_by,
    identification_confidence: row.identification_confidence,
    identified_at: row.identified_at?.toISOString() ?? null,
    listing_id: row.listing_id === null ? null : toId("lst", row.listing_id),
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function marketPrice(row: CardRow): Card["market_price"] {
  if (row.market_price === null || row.market_price_as_of === null) return null;
  return {
    amount: row.market_price,
    currency: row.market_price_currency ?? row.account_currency,
    source: row.market_price_source ?? "",
    as_of: row.market_price_as_of.toISOString(),
  };
}

const cardList: KeysetList = {
  name: "cards",
  table: "card",
  projection,
  sorts: {
    created_at: { column: "created_at", type: "timestamptz" },
    updated_at: { column: "updated_at", type: "timestamptz" },
    asking_price: { column: "asking_price", type: "bigint", isNullable: true },
    title: { column: "title", type: "text", isNullable: true },
  },
};

/**
 * One page of an account's cards, one statement.
 * @throws VaultError `invalid_cursor`
 */
export async function listCards(
  db: Queryable,
  accountId: string,
  query: CardListQuery,
  photoUrl: PhotoUrl,
): Promise<CardList> {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  const { limit, cursor, sort, ...filters } = query;
  addFilters(parts, filters);
  const isPoll = filters.updated_since !== undefined;
  const page = await readPage<CardRow>(
    db,
    cardList,
    {
      accountId,
      sort: isPoll ? "updated_at" : (sort ?? defaultSort),
      limit,
      cursor,
      scope: scopeOf(filters),
    },
    parts,
  );
  return listAnswer(page, (row) => toCard(row, photoUrl), filters.updated_since);
}

/**
 * One page of a batch's cards. A batch of another account is one that never was.
 * @throws VaultError `batch_not_found`, `invalid_cursor`
 */
export async function listBatchCards(
  db: Queryable,
  accountId: string,
  { id, ...query }: BatchCardsQuery,
  photoUrl: PhotoUrl,
): Promise<CardList> {
  if (!isId("batch", id)) throw new VaultError("batch_not_found");
  const list = await listCards(db, accountId, { ...query, batch: [id] }, photoUrl);
  if (list.data.length > 0) return list;
  const batches = await db.query(
    `select 1 from batch where account_id = $1 and id = $2`,
    [toUuid(accountId), toUuid(id)],
    "batch_exists",
  );
  if (batches.length === 0) throw new VaultError("batch_not_found");
  return list;
}

/**
 * One card.
 * @throws VaultError `card_not_found`, for a malformed id too
 */
export async function getCard(
  db: Queryable,
  accountId: string,
  id: string,
  photoUrl: PhotoUrl,
): Promise<Card> {
  const rows = isId("card", id)
    ? await db.query<CardRow>(
        `select c.id, ${projection} from card c where c.account_id = $1 and c.id = $2`,
        [toUuid(accountId), toUuid(id)],
        "card",
      )
    : [];
  const [row] = rows;
  if (row === undefined) throw new VaultError("card_not_found");
  return toCard(row, photoUrl);
}

type CardFilters = Omit<CardListQuery, "limit" | "cursor" | "sort">;

function addFilters(parts: StatementParts, filters: CardFilters): void {
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
