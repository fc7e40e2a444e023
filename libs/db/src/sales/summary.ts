import { maxSalesGroups, VaultError } from "@cardvault/contract";
import type {
  SalesGrouping,
  SalesSummary,
  SalesSummaryInput,
  SalesTotals,
} from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { readKeptSums, sumOf } from "../read/card-totals.ts";
import { ledger, ledgerParts } from "./ledger.ts";

interface SumRow {
  key: string | null;
  label: string | null;
  sales: number;
  copies: number;
  revenue: number;
  fees: number;
  cost: number;
  profit: number;
  revenue_without_cost: number;
  without_cost: number;
  without_fee: number;
}

const net = "(c.total - c.cancelled_total - c.refunded)";
const cost = "c.cost_each * (c.quantity - c.cancelled_quantity)";
// A sum of nothing is null.
const sum = (of: string): string => `coalesce(sum(${of}), 0)`;
const sums = `count(*) as sales, ${sum("c.quantity - c.cancelled_quantity")} as copies, ${sum(net)} as revenue,
  ${sum("c.fee")} as fees, ${sum(cost)} as cost,
  ${sum(`case when c.cost_each is not null then ${net} - coalesce(c.fee, 0) - ${cost} end`)} as profit,
  ${sum(`case when c.cost_each is null then ${net} end`)} as revenue_without_cost,
  count(*) filter (where c.cost_each is null) as without_cost,
  count(*) filter (where c.fee is null and c.kind = 'marketplace') as without_fee`;

/** PostgreSQL's `invalid_parameter_value`: here, a time zone that it does not know. */
const unknownZone = "22023";

/**
 * Sums of the ledger, and of what is not sold yet. Exact: the database adds numerics.
 * @param currency ISO 4217, of the account
 * @throws VaultError `validation_failed` for a time zone that the database does not know
 */
export async function summariseSales(
  db: Queryable,
  accountId: string,
  { by, time_zone: timeZone, ...filters }: SalesSummaryInput,
  currency: string,
): Promise<SalesSummary> {
  const parts = ledgerParts(accountId, { ...filters, state: "counted" });
  const where = parts.conditions.join(" and ");
  const [[total], groups, open] = await Promise.all([
    db.query<SumRow>(`select ${sums} from ${ledger} c where ${where}`, parts.values),
    readGroups(db, accountId, by, timeZone, filters),
    readOpen(db, accountId, filters, currency),
  ]);
  return {
    totals: totalsOf(total, currency),
    groups: groups.slice(0, maxSalesGroups).map((row) => ({
      key: keyOf(by, row.key),
      label: row.label,
      ...totalsOf(row, currency),
    })),
    has_more_groups: groups.length > maxSalesGroups,
    open,
  };
}

async function readGroups(
  db: Queryable,
  accountId: string,
  by: SalesGrouping,
  timeZone: string,
  filters: Omit<SalesSummaryInput, "by" | "time_zone">,
): Promise<SumRow[]> {
  const parts = ledgerParts(accountId, { ...filters, state: "counted" });
  const local = (form: string): string =>
    `to_char(c.sold_at at time zone ${parts.bind(timeZone, "text")}, '${form}')`;
  const [key, label, order, join] = {
    day: () => [local("YYYY-MM-DD"), "null::text", "1", ""],
    month: () => [local("YYYY-MM"), "null::text", "1", ""],
    place: () => ["c.place", "min(c.place)", "revenue desc, 1", ""],
    card: () => [
      "c.card_id::text",
      "min(k.title)",
      "revenue desc, 1",
      "left join card k on k.id = c.card_id",
    ],
    batch: () => [
      "k.batch_id::text",
      "min(b.code || ' · ' || b.name)",
      "revenue desc, 1",
      "left join card k on k.id = c.card_id left join batch b on b.id = k.batch_id",
    ],
  }[by]();
  try {
    return await db.query<SumRow>(
      `select ${key} as key, ${label} as label, ${sums} from ${ledger} c ${join}
       where ${parts.conditions.join(" and ")} group by 1 order by ${order} limit ${maxSalesGroups + 1}`,
      parts.values,
    );
  } catch (error) {
    const cause = error instanceof VaultError ? (error.cause as { code?: unknown }) : undefined;
    if (cause?.code !== unknownZone) throw error;
    throw new VaultError("validation_failed", {
      details: [{ path: "time_zone", message: "Must be a time zone of the IANA database" }],
      cause: error,
    });
  }
}

function keyOf(by: SalesGrouping, key: string | null): string | null {
  if (key === null) return null;
  if (by === "batch") return toId("batch", key);
  return by === "card" ? toId("card", key) : key;
}

function totalsOf(row: SumRow | undefined, currency: string): SalesTotals {
  const money = (amount = 0) => ({
    amount: Math.max(Math.min(amount, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER),
    currency,
  });
  return {
    sales: row?.sales ?? 0,
    copies: row?.copies ?? 0,
    revenue: money(row?.revenue),
    fees: money(row?.fees),
    cost: money(row?.cost),
    profit: money(row?.profit),
    revenue_without_cost: money(row?.revenue_without_cost),
    without_cost: row?.without_cost ?? 0,
    without_fee: row?.without_fee ?? 0,
  };
}

/** What waits to be sold: of a card, of a batch, or of the account. */
async function readOpen(
  db: Queryable,
  accountId: string,
  { card, batch }: { card?: string | undefined; batch?: string | undefined },
  currency: string,
): Promise<SalesSummary["open"]> {
  const money = (amount: number) => ({
    amount: Math.min(amount, Number.MAX_SAFE_INTEGER),
    currency,
  });
  if (card !== undefined) {
    const [row] = isId("card", card)
      ? await db.query<{ quantity: number; asking: number | null; cost: number | null }>(
          `select quantity, asking_price as asking, purchase_price as cost from card
           where account_id = $1 and id = $2 and workflow_status not in ('sold', 'archived')`,
          [toUuid(accountId), toUuid(card)],
        )
      : [];
    const copies = row?.quantity ?? 0;
    return {
      cards: row === undefined ? 0 : 1,
      copies,
      asking: money(copies * (row?.asking ?? 0)),
      cost: money(copies * (row?.cost ?? 0)),
    };
  }
  const sumsKept = await readKeptSums(db, accountId, batch === undefined ? {} : { batch: [batch] });
  const stock = sumsKept.filter(
    ({ workflow_status: status }) => status !== "sold" && status !== "archived",
  );
  return {
    cards: sumOf(stock, "cards"),
    copies: sumOf(stock, "copies"),
    asking: money(sumOf(stock, "asking")),
    cost: money(sumOf(stock, "cost")),
  };
}
