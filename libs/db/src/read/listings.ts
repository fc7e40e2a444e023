import { defaultSort, VaultError } from "@cardvault/contract";
import type { Listing, ListingList, ListingListQuery } from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { readPage } from "./keyset.ts";
import type { KeysetList } from "./keyset.ts";
import { beginList, listAnswer, scopeOf } from "./list-answer.ts";

type TimeName =
  | "published_at"
  | "ended_at"
  | "sold_at"
  | "last_synced_at"
  | "created_at"
  | "updated_at";

export type ListingRow = Omit<Listing, "price" | "sold_price" | TimeName> & {
  price: number;
  sold_price: number | null;
  currency: string;
} & { [Name in TimeName]: Listing[Name] extends string ? Date : Date | null };

// `$1` is the account in every statement here.
export const listingProjection = `
  c.card_id, c.marketplace, c.status, c.external_listing_id, c.url, c.title, c.description,
  c.category_id, c.format, c.price, c.quantity, c.quantity_sold, c.published_at, c.ended_at,
  c.end_reason, c.sold_at, c.sold_price, c.order_id, c.error, c.last_synced_at, c.created_at,
  c.updated_at, (select a.currency from account a where a.id = $1) as currency`;

export function toListing(row: ListingRow): Listing {
  const { currency } = row;
  return {
    id: toId("lst", row.id),
    card_id: toId("card", row.card_id),
    marketplace: row.marketplace,
    status: row.status,
    external_listing_id: row.external_listing_id,
    url: row.url,
    title: row.title,
    description: row.description,
    category_id: row.category_id,
    format: row.format,
    price: { amount: row.price, currency },
    quantity: row.quantity,
    quantity_sold: row.quantity_sold,
    published_at: row.published_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    end_reason: row.end_reason,
    sold_at: row.sold_at?.toISOString() ?? null,
    sold_price: row.sold_price === null ? null : { amount: row.sold_price, currency },
    order_id: row.order_id,
    error: row.error,
    last_synced_at: row.last_synced_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const listingList: KeysetList = {
  name: "listings",
  table: "listing",
  projection: listingProjection,
  sorts: {
    created_at: { column: "created_at", type: "timestamptz" },
    updated_at: { column: "updated_at", type: "timestamptz" },
    price: { column: "price", type: "bigint" },
  },
};

/**
 * One page of an account's listings, one statement. A card that exists nowhere gives an empty list.
 * @throws VaultError `invalid_cursor`
 */
export async function listListings(
  db: Queryable,
  accountId: string,
  query: ListingListQuery,
): Promise<ListingList> {
  const { limit, cursor, sort, ...filters } = query;
  const parts = beginList(accountId, filters);
  parts.whereOneOf("c.status", filters.status, "text");
  if (filters.card !== undefined) {
    const ids = filters.card.filter((value) => isId("card", value)).map((value) => toUuid(value));
    // No value that is an id at all is bound as an empty array: nothing is one of none.
    parts.whereOneOf("c.card_id", ids, "uuid");
  }
  const order = filters.updated_since === undefined ? (sort ?? defaultSort) : "updated_at";
  const page = await readPage<ListingRow>(
    db,
    listingList,
    { accountId, sort: order, limit, cursor, scope: scopeOf(filters) },
    parts,
  );
  return listAnswer(page, toListing, filters.updated_since);
}

/**
 * One listing.
 * @throws VaultError `listing_not_found`, for a malformed id too
 */
export async function getListing(db: Queryable, accountId: string, id: string): Promise<Listing> {
  const [row] = isId("lst", id)
    ? await db.query<ListingRow>(
        `select c.id, ${listingProjection} from listing c where c.account_id = $1 and c.id = $2`,
        [toUuid(accountId), toUuid(id)],
        "listing",
      )
    : [];
  if (row === undefined) throw new VaultError("listing_not_found");
  return toListing(row);
}
