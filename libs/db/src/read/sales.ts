import { VaultError } from "@cardvault/contract";
import type { RecentSale, SalesDay } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { isCounted, ledger } from "../sales/ledger.ts";

const copies = "c.quantity - c.cancelled_quantity";
const amount = "c.total - c.cancelled_total - c.refunded";

interface DayRow {
  day: string;
  sales: number;
  copies: number;
  amount: number;
}

interface SaleRow {
  listing_id: string | null;
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
       ), sold as (
         select ${copies} as copies, ${amount} as amount, c.sold_at from ${ledger} c
         where c.account_id = $1 and ${isCounted} and c.sold_at >= (select min(starts) from bounds)
           and c.sold_at < (select max(ends) from bounds))
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
    `select c.listing_id, c.card_id, coalesce((select k.title from card k where k.id = c.card_id), c.line_title) as title,
       ${copies} as copies, ${amount} as amount, c.sold_at
     from (select * from ${ledger} c where c.account_id = $1 and ${isCounted}
       order by c.sold_at desc, c.id desc limit $2) c
     order by c.sold_at desc, c.id desc`,
    [toUuid(accountId), limit],
    "recent_sales",
  );
  return rows.map((row) => ({
    listing_id: row.listing_id === null ? null : toId("lst", row.listing_id),
    card_id: toId("card", row.card_id),
    title: row.title,
    quantity: row.copies,
    amount: { amount: row.amount, currency },
    sold_at: row.sold_at.toISOString(),
  }));
}
