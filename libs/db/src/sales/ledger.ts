import type {
  LedgerSale,
  Marketplace,
  SalesExport,
  SalesList,
  SalesListInput,
  SaleKind,
  UnmatchedReason,
} from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { countRows, readPage } from "../read/keyset.ts";
import type { KeysetList } from "../read/keyset.ts";
import { scopeOf } from "../read/list-answer.ts";
import { StatementParts } from "../read/statement.ts";

/**
 * What was sold: the one place that says where sales are read from. Lines of the marketplace's orders, and what
 * was sold elsewhere and recorded by hand. Each part is one table, so that PostgreSQL looks through the union and
 * merges their indexes in the order of their times.
 */
export const ledger = `(
  select s.id, s.account_id, 'marketplace' as kind, s.marketplace as place, null::text as note, s.marketplace,
    s.order_id, s.external_listing_id, s.listing_id, s.card_id, s.unmatched, s.title as line_title, s.sku as line_sku,
    s.quantity, s.cancelled_quantity, s.total, s.cancelled_total, s.refunded, s.currency, s.fee, s.cost_each,
    s.is_paid, s.sold_at, s.recorded_at, s.cancelled_at, s.pulled_at
  from marketplace_order_line s
  union all
  select s.id, s.account_id, 'by_hand', s.place, s.note, null::text, null::text, null::text, null::uuid, s.card_id,
    null::text, null::text, null::text, s.quantity, case when s.voided_at is null then 0 else s.quantity end, s.price,
    case when s.voided_at is null then 0 else s.price end, 0::bigint, null::char(3), s.fee, s.cost_each, true,
    s.sold_at, s.created_at, s.voided_at, null::timestamptz(3)
  from hand_sale s)`;

/** What stands in the sums. */
export const isCounted = "c.unmatched is null and c.cancelled_quantity < c.quantity";

const stateConditions = {
  counted: isCounted,
  cancelled: "c.unmatched is null and c.cancelled_quantity = c.quantity",
  unmatched: "c.unmatched is not null",
} as const;

interface LedgerRow {
  id: string;
  kind: SaleKind;
  place: string;
  note: string | null;
  marketplace: Marketplace | null;
  order_id: string | null;
  external_listing_id: string | null;
  listing_id: string | null;
  card_id: string | null;
  unmatched: UnmatchedReason | null;
  line_title: string | null;
  line_sku: string | null;
  quantity: number;
  cancelled_quantity: number;
  total: number;
  cancelled_total: number;
  refunded: number;
  currency: string;
  fee: number | null;
  cost_each: number | null;
  is_paid: boolean;
  sold_at: Date;
  recorded_at: Date;
  cancelled_at: Date | null;
  pulled_at: Date | null;
  card: {
    title: string | null;
    sku: string | null;
    batch_id: string | null;
    batch_code: string | null;
  } | null;
}

// `$1` is the account in every statement here.
const projection = `c.kind, c.place, c.note, c.marketplace, c.order_id, c.external_listing_id, c.listing_id, c.card_id,
  c.unmatched, c.line_title, c.line_sku, c.quantity, c.cancelled_quantity, c.total, c.cancelled_total, c.refunded,
  coalesce(c.currency, (select a.currency from account a where a.id = $1)) as currency, c.fee, c.cost_each,
  c.is_paid, c.sold_at, c.recorded_at, c.cancelled_at, c.pulled_at,
  (select jsonb_build_object('title', k.title, 'sku', k.sku, 'batch_id', k.batch_id, 'batch_code', b.code)
    from card k left join batch b on b.id = k.batch_id where k.id = c.card_id) as card`;

const salesList: KeysetList = {
  name: "sales",
  table: ledger,
  projection,
  sorts: { sold_at: { column: "sold_at", type: "timestamptz" } },
  isPlannedEachTime: true,
};

function saleOf(row: LedgerRow): LedgerSale {
  const { currency, card } = row;
  const money = (amount: number) => ({ amount, currency });
  const copies = row.quantity - row.cancelled_quantity;
  const cost = row.cost_each === null ? null : row.cost_each * copies;
  const revenue = row.total - row.cancelled_total - row.refunded;
  return {
    id: toId("sale", row.id),
    kind: row.kind,
    state: stateOf(row),
    place: row.place,
    note: row.note,
    marketplace: row.marketplace,
    order_id: row.order_id,
    external_listing_id: row.external_listing_id,
    listing_id: row.listing_id === null ? null : toId("lst", row.listing_id),
    card_id: row.card_id === null ? null : toId("card", row.card_id),
    batch_id: card?.batch_id == null ? null : toId("batch", card.batch_id),
    batch_code: card?.batch_code ?? null,
    title: card?.title ?? row.line_title,
    sku: card?.sku ?? row.line_sku,
    unmatched: row.unmatched,
    quantity: row.quantity,
    cancelled_quantity: row.cancelled_quantity,
    price: money(row.total),
    cancelled: money(row.cancelled_total),
    refunded: money(row.refunded),
    fee: row.fee === null ? null : money(row.fee),
    cost: cost === null ? null : money(cost),
    profit: cost === null ? null : money(copies === 0 ? 0 : revenue - (row.fee ?? 0) - cost),
    is_paid: row.is_paid,
    sold_at: row.sold_at.toISOString(),
    recorded_at: row.recorded_at.toISOString(),
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    pulled_at: row.pulled_at?.toISOString() ?? null,
  };
}

function stateOf(row: LedgerRow): LedgerSale["state"] {
  if (row.unmatched !== null) return "unmatched";
  return row.cancelled_quantity < row.quantity ? "counted" : "cancelled";
}

/** The conditions of a question to the ledger. A batch or card that is nowhere has sold nothing. */
export function ledgerParts(accountId: string, filters: SalesExport): StatementParts {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  const { from, to, batch, card, kind, state } = filters;
  if (from !== undefined) parts.where(`c.sold_at >= ${parts.bind(from, "timestamptz")}`);
  if (to !== undefined) parts.where(`c.sold_at < ${parts.bind(to, "timestamptz")}`);
  if (kind !== undefined) parts.where(`c.kind = ${parts.bind(kind, "text")}`);
  if (card !== undefined) {
    parts.where(isId("card", card) ? `c.card_id = ${parts.bind(toUuid(card), "uuid")}` : "false");
  }
  if (batch !== undefined) {
    // As an array: its cards are few among an account's, and are looked up one by one.
    const cards = `select k.id from card k where k.account_id = $1 and k.batch_id = `;
    parts.where(
      isId("batch", batch)
        ? `c.card_id = any (array(${cards}${parts.bind(toUuid(batch), "uuid")}))`
        : "false",
    );
  }
  if (state !== undefined) parts.where(stateConditions[state]);
  return parts;
}

/** What a list without a state shows: what matched no card has a list of its own. */
function listedParts(accountId: string, filters: SalesExport): StatementParts {
  const parts = ledgerParts(accountId, filters);
  if (filters.state === undefined) parts.where("c.unmatched is null");
  return parts;
}

/** How many lines there are with these filters, counted up to one more than `maxExactCount`. */
export function countLedger(
  db: Queryable,
  accountId: string,
  filters: SalesExport,
): Promise<number> {
  return countRows(db, salesList, listedParts(accountId, filters));
}

/**
 * One page of the ledger, the latest sale first.
 * @throws VaultError `invalid_cursor`
 */
export async function listSales(
  db: Queryable,
  accountId: string,
  { limit, cursor, ...filters }: SalesListInput,
): Promise<Omit<SalesList, "total">> {
  const page = await readPage<LedgerRow>(
    db,
    salesList,
    { accountId, sort: "-sold_at", limit, cursor, scope: scopeOf(filters) },
    listedParts(accountId, filters),
  );
  const { next_cursor, has_more } = page;
  return { data: page.rows.map(saleOf), next_cursor, has_more };
}

/** One sale of either kind; undefined where the account has none such. */
export async function findSale(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<LedgerSale | undefined> {
  if (!isId("sale", id)) return undefined;
  const [row] = await db.query<LedgerRow>(
    `select c.id, ${projection} from ${ledger} c where c.account_id = $1 and c.id = $2`,
    [toUuid(accountId), toUuid(id)],
  );
  return row === undefined ? undefined : saleOf(row);
}
