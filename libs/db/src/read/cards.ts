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
import { addDocumentedFilters } from "./card-filters.ts";
import { readPage } from "./keyset.ts";
import type { KeysetList } from "./keyset.ts";
import { listAnswer, scopeOf } from "./list-answer.ts";
import { StatementParts } from "./statement.ts";

/** The address of a picture, given by whoever can sign it. */
export type PhotoUrl = (photoId: string, size: "full" | "thumbnail") => string;

type PhotoRow = [id: string, side: PhotoSide, width: number, height: number];

/** A card's own columns are those of the answer, but for money, grading and ids. */
export type StoredCard = Omit<
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
export const cardProjection = `
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

export function toCard(row: StoredCard, photoUrl: PhotoUrl): Card {
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

function marketPrice(row: StoredCard): Card["market_price"] {
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
  projection: cardProjection,
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
  addDocumentedFilters(parts, filters);
  const isPoll = filters.updated_since !== undefined;
  const page = await readPage<StoredCard>(
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
    ? await db.query<StoredCard>(
        `select c.id, ${cardProjection} from card c where c.account_id = $1 and c.id = $2`,
        [toUuid(accountId), toUuid(id)],
        "card",
      )
    : [];
  const [row] = rows;
  if (row === undefined) throw new VaultError("card_not_found");
  return toCard(row, photoUrl);
}
