import { listingStatuses, maxSalesCount } from "@cardvault/contract";
import type {
  ListingStatus,
  SalesListing,
  SalesListings,
  SalesListingsInput,
  SalesOverview,
  WorkflowStatus,
} from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import type { PhotoUrl } from "../read/cards.ts";
import { readPage } from "../read/keyset.ts";
import type { KeysetList } from "../read/keyset.ts";
import { scopeOf } from "../read/list-answer.ts";
import { listingProjection, toListing } from "../read/listings.ts";
import type { ListingRow } from "../read/listings.ts";
import { StatementParts } from "../read/statement.ts";

type SalesListingRow = ListingRow & {
  card: {
    title: string | null;
    sku: string | null;
    workflow_status: WorkflowStatus;
    location: string | null;
    quantity: number;
    asking_price: number | null;
    purchase_price: number | null;
    photo_id: string | null;
    listing_id: string | null;
  };
  difference: { price: number | null; quantity: number | null; seen_at: string } | null;
};

const projection = `${listingProjection},
  (select jsonb_build_object('title', k.title, 'sku', k.sku, 'workflow_status', k.workflow_status,
      'location', k.location, 'quantity', k.quantity, 'asking_price', k.asking_price,
      'purchase_price', k.purchase_price, 'listing_id', k.listing_id,
      'photo_id', (select p.id from photo p where p.card_id = k.id order by p.position, p.id limit 1))
    from card k where k.id = c.card_id) as card,
  (select jsonb_build_object('price', d.price, 'quantity', d.quantity, 'seen_at', d.seen_at)
    from listing_difference d where d.listing_id = c.id) as difference`;

const salesListings: KeysetList = {
  name: "sales_listings",
  table: "listing",
  projection,
  sorts: {
    created_at: { column: "created_at", type: "timestamptz" },
    price: { column: "price", type: "bigint" },
    ended_at: { column: "ended_at", type: "timestamptz", isNullable: true },
  },
  isPlannedEachTime: true,
};

function salesListingOf(row: SalesListingRow, photoUrl: PhotoUrl): SalesListing {
  const listing = toListing(row);
  const { card, difference, currency } = row;
  const money = (amount: number | null) => (amount === null ? null : { amount, currency });
  const { photo_id: photo, listing_id: latest, asking_price, purchase_price, ...same } = card;
  return {
    listing,
    card: {
      ...same,
      id: listing.card_id,
      asking_price: money(asking_price),
      purchase_price: money(purchase_price),
      thumbnail_url: photo === null ? null : photoUrl(toId("img", photo), "thumbnail"),
      listing_id: latest === null ? null : toId("lst", latest),
    },
    difference:
      difference === null
        ? null
        : {
            price: money(difference.price),
            quantity: difference.quantity,
            seen_at: new Date(difference.seen_at).toISOString(),
          },
  };
}

/**
 * One page of listings with what is shown of their cards.
 * @throws VaultError `invalid_cursor`
 */
export async function listSalesListings(
  db: Queryable,
  accountId: string,
  { limit, cursor, sort, ...filters }: SalesListingsInput,
  photoUrl: PhotoUrl,
): Promise<SalesListings> {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  parts.whereOneOf("c.status", filters.status, "text");
  if (filters.differs === true) {
    parts.where("c.id in (select d.listing_id from listing_difference d where d.account_id = $1)");
  }
  if (filters.latest === true) {
    parts.where("c.id = (select k.listing_id from card k where k.id = c.card_id)");
  }
  const page = await readPage<SalesListingRow>(
    db,
    salesListings,
    { accountId, sort, limit, cursor, scope: scopeOf(filters) },
    parts,
  );
  const { next_cursor, has_more } = page;
  return { data: page.rows.map((row) => salesListingOf(row, photoUrl)), next_cursor, has_more };
}

type Counts = Omit<SalesOverview, "sync" | "listings"> & Record<ListingStatus, number>;

/** How many there are of each kind that the page has a tab for, to a bound. */
export async function countSales(
  db: Queryable,
  accountId: string,
): Promise<Omit<SalesOverview, "sync">> {
  const upTo = (from: string): string =>
    `(select count(*) from (select 1 from ${from} limit ${maxSalesCount}) s)`;
  // What has failed and was published again waits for nobody.
  const isLatest = "id = (select k.listing_id from card k where k.id = card_id)";
  const ofStatus = listingStatuses
    .map((status) => {
      const where = status === "failed" ? `and ${isLatest}` : "";
      return `${upTo(`listing where account_id = $1 and status = '${status}' ${where}`)} as ${status}`;
    })
    .join(", ");
  const lines = "marketplace_order_line where account_id = $1";
  const [row] = await db.query<Counts>(
    `select ${ofStatus},
       ${upTo(`${lines} and pulled_at is null and cancelled_quantity < quantity and unmatched is null`)} as to_pull,
       ${upTo(`${lines} and unmatched is not null`)} as unmatched,
       ${upTo("listing_difference where account_id = $1")} as differences,
       ${upTo("card where account_id = $1 and needs_review and review_reason in ('order_cancelled', 'oversold')")}
         as copies_in_review`,
    [toUuid(accountId)],
    "sales_counts",
  );
  const { to_pull = 0, unmatched = 0, differences = 0, copies_in_review = 0 } = row ?? {};
  const listings = Object.fromEntries(
    listingStatuses.map((status) => [status, row?.[status] ?? 0]),
  ) as SalesOverview["listings"];
  return { listings, to_pull, unmatched, differences, copies_in_review };
}
