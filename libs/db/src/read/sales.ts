import { VaultError } from "@cardvault/contract";
import type { RecentSale, SalesDay } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/**
 * What was sold, of the account `$1`: the one place that says where sales are read from. They are the listings
 * that sold something, and what was sold elsewhere and recorded by hand. Each part is bounded by its own
 * index, so the condition is asked of both.
 */
function salesWhere(condition: string, end = ""): string {
  return `(select s.id, s.card_id, s.title, s.quantity_sold as copies, s.sold_at,
      coalesce(s.sold_price, s.price * s.quantity_sold) as amount, 'listing' as kind
    from listing s where s.account_id = $1 and s.sold_at is not null and ${condition} ${end})
  union all (select s.id, s.card_id, (select c.title from card c where c.id = s.card_id), s.quantity, s.sold_at,
      s.price, 'by_hand'
    from hand_sale s where s.account_id = $1 and s.voided_at is null and ${condition} ${end})`;
}

interface DayRow {
  day: string;
  sales: number;
  copies: number;
  amount: number;
}

interface SaleRow {
  id: string;
  kind: "listing" | "by_hand";
  card_id: string;
  title: string | null;
  copies: number;
  amount: number;
  sold_at: Date;
}

/** PostgreSQL's `invalid_parameter_value`: here, a time zone that it does not know. */
const unknownZone = "22023";

/**
 * Sales of the last days, the oldest first and today last, a row for every day. A day begins and ends at
 * midnight of the time zone, so one has 23 or 25 hours where the clock is changed.
 * @throws VaultError `validation_failed` for a time zone that the database does not know
 */
export async function readSalesByDay(
  db: Queryable,
  accountId: string,
  {
    timeZone,
    days,
    now,
    currency,
  }: { timeZone: string; days: number; now: Date; currency: string },
): Promise<SalesDay[]> {
  try {
    const rows = await db.query<DayRow>(
      `with bounds as (
         select d::date as day, d::date::timestamp at time zone $2 as starts,
           (d::date + 1)::timestamp at time zone $2 as ends
         from generate_series(($3::timestamptz at time zone $2)::date - ($4::int - 1),
           ($3::timestamptz at time zone $2)::date, interval '1 day') d
       ), sold as (${salesWhere("s.sold_at >= (select min(starts) from bounds) and s.sold_at < (select max(ends) from bounds)")})
       select b.day, count(s.sold_at) as sales, coalesce(sum(s.copies), 0) as copies,
         coalesce(sum(s.amount), 0) as amount
       from bounds b left join sold s on (s.sold_at at time zone $2)::date = b.day
       group by b.day order by b.day`,
      [toUuid(accountId), timeZone, now, days],
    );
    return rows.map(({ day, sales: count, copies, amount }) => ({
      day,
      sales: count,
      copies,
      amount: { amount: Math.min(amount, Number.MAX_SAFE_INTEGER), currency },
    }));
  } catch (error) {
    const cause = error instanceof VaultError ? (error.cause as { code?: unknown }) : undefined;
    if (cause?.code !== unknownZone) throw error;
    throw new VaultError("validation_failed", {
      details: [{ path: "time_zone", message: "Must be a time zone of the IANA database" }],
      cause: error,
    });
  }
}

/** The last sales, the latest first. */
export async function readRecentSales(
  db: Queryable,
  accountId: string,
  limit: number,
  currency: string,
): Promise<RecentSale[]> {
  const rows = await db.query<SaleRow>(
    `select * from (${salesWhere("true", "order by s.sold_at desc, s.id desc limit $2")}) s
     order by s.sold_at desc, s.id desc limit $2`,
    [toUuid(accountId), limit],
    "recent_sales",
  );
  return rows.map((row) => ({
    listing_id: row.kind === "listing" ? toId("lst", row.id) : null,
    card_id: toId("card", row.card_id),
    title: row.title,
    quantity: row.copies,
    amount: { amount: row.amount, currency },
    sold_at: row.sold_at.toISOString(),
  }));
}
