import type { PriceQuote } from "@cardvault/domain";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/** Keeps what sources said of a card: of a source and kind the last of a day. */
export async function writePriceQuotes(
  db: Queryable,
  {
    accountId,
    cardId,
    quotes,
    now,
  }: {
    accountId: string;
    cardId: string;
    quotes: readonly PriceQuote[];
    now: Date;
  },
): Promise<void> {
  if (quotes.length === 0) return;
  // The last one of a source and kind counts: one statement may not write a row twice.
  const unique = [...new Map(quotes.map((one) => [`${one.kind} ${one.source}`, one])).values()];
  const day = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  await db.query(
    `insert into price_quote
       (account_id, card_id, source, kind, day, quoted_at, as_of, currency, price, low, high, sample_size)
     select $1, $2, q.source, q.kind, $3, $4, q.as_of, q.currency, q.price, q.low, q.high, q.sample_size
     from unnest($5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::bigint[], $10::bigint[],
       $11::bigint[], $12::int[]) as q (source, kind, as_of, currency, price, low, high, sample_size)
     on conflict (card_id, day, source, kind) do update set
       quoted_at = excluded.quoted_at, as_of = excluded.as_of, currency = excluded.currency,
       price = excluded.price, low = excluded.low, high = excluded.high,
       sample_size = excluded.sample_size`,
    [
      toUuid(accountId),
      toUuid(cardId, "card"),
      day,
      now,
      unique.map(({ source }) => source),
      unique.map(({ kind }) => kind),
      unique.map(({ asOf }) => asOf),
      unique.map(({ price, low, high }) => (price ?? low ?? high)?.currency ?? null),
      unique.map(({ price }) => price?.amount ?? null),
      unique.map(({ low }) => low?.amount ?? null),
      unique.map(({ high }) => high?.amount ?? null),
      unique.map(({ sampleSize }) => sampleSize),
    ],
    "price_quotes_write",
  );
}

/** The latest quotes of a card since a moment, at most so many, the oldest first. */
export async function listPriceQuotes(
  db: Queryable,
  query: { accountId: string; cardId: string; since: Date; limit: number },
): Promise<(PriceQuote & { quotedAt: Date })[]> {
  const rows = await db.query<{
    source: string;
    kind: PriceQuote["kind"];
    quoted_at: Date;
    as_of: Date;
    currency: string | null;
    price: number | null;
    low: number | null;
    high: number | null;
    sample_size: number | null;
  }>(
    `select source, kind, quoted_at, as_of, currency, price, low, high, sample_size from price_quote
     where account_id = $1 and card_id = $2 and day >= $3::timestamptz - interval '1 day' and quoted_at >= $3
     order by day desc, source desc, kind desc limit $4`,
    [toUuid(query.accountId), toUuid(query.cardId, "card"), query.since, query.limit],
    "price_quotes",
  );
  return rows.toReversed().map((row) => {
    const money = (amount: number | null) =>
      amount === null || row.currency === null ? null : { amount, currency: row.currency };
    return {
      source: row.source,
      kind: row.kind,
      price: money(row.price),
      low: money(row.low),
      high: money(row.high),
      sampleSize: row.sample_size,
      asOf: row.as_of,
      quotedAt: row.quoted_at,
    };
  });
}
