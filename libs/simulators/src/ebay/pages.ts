import { EbayError } from "./errors.ts";

export interface Page<Row> {
  readonly href: string;
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly next?: string;
  readonly prev?: string;
  readonly rows: readonly Row[];
}

/** eBay's pages: so many rows after so many. */
export function pageOf<Row>(
  all: readonly Row[],
  query: URLSearchParams,
  path: string,
  rules: { limit: number; max: number; errorId: number; domain?: string },
): Page<Row> {
  const numberOf = (name: string, fallback: number): number => {
    const given = query.get(name);
    if (given === null) return fallback;
    if (!/^\d{1,9}$/.test(given)) throw wrong(name, given);
    return Number(given);
  };
  const wrong = (name: string, given: string): EbayError =>
    new EbayError(400, rules.errorId, `Invalid ${name}: ${given}`, {}, rules.domain);
  const limit = numberOf("limit", rules.limit);
  const offset = numberOf("offset", 0);
  if (limit < 1 || limit > rules.max) throw wrong("limit", String(limit));
  const addressOf = (from: number): string => {
    const search = new URLSearchParams(query);
    search.set("limit", String(limit));
    search.set("offset", String(from));
    return `https://api.ebay.com${path}?${search.toString()}`;
  };
  return {
    href: addressOf(offset),
    total: all.length,
    limit,
    offset,
    ...(offset + limit < all.length ? { next: addressOf(offset + limit) } : {}),
    ...(offset > 0 ? { prev: addressOf(Math.max(0, offset - limit)) } : {}),
    rows: all.slice(offset, offset + limit),
  };
}
