import type { SimulatorStore } from "../store.ts";

/** What is remembered of a seller, beside items, offers and orders. */
interface SellerRecord {
  /** Ids are made of these. */
  readonly made: { offers: number; listings: number; orders: number };
  consent: "given" | "revoked" | "expired";
  /** How far the seller's clock is ahead. */
  clockOffsetMs: number;
  options: SellerOptions;
}

interface SellerOptions {
  /** For so long a listing shows what it was before its sale. */
  listing_lag_ms: number;
  /** A listing of which nothing is left stays, and shows that it is out of stock. */
  out_of_stock_control: boolean;
  /** Has business policies and a location from the start. */
  is_set_up: boolean;
}

const records = "ebay";

/** The store of one seller: every key of it begins with the seller's. */
export interface SellerStore {
  readonly seller: string;
  readonly record: SellerRecord;
  /** By the seller's clock. */
  readonly now: Date;
  read<Value>(kind: string, ...parts: string[]): Promise<Value | null>;
  write(kind: string, parts: readonly string[], value: unknown): Promise<void>;
  forget(kind: string, ...parts: string[]): Promise<void>;
  list<Value>(kind: string): Promise<Value[]>;
  /** Writes what has changed in `record`. */
  save(): Promise<void>;
  /** The next id of a kind: the same ones for a seller each time it begins from nothing. */
  nextId(kind: "offers" | "listings" | "orders"): string;
}

const newSeller = (): SellerRecord => ({
  made: { offers: 0, listings: 0, orders: 0 },
  consent: "given",
  clockOffsetMs: 0,
  options: { listing_lag_ms: 0, out_of_stock_control: false, is_set_up: true },
});

const encoded = (parts: readonly string[]): string =>
  parts.map((part) => encodeURIComponent(part)).join("/");

/** Every part of a key ends with a slash, so that none is the beginning of another. */
const keyOf = (kind: string, seller: string, parts: readonly string[]): string =>
  `${kind}/${encoded([seller, ...parts])}/`;

/** To look at a seller: what is written by it may be lost to another that writes at the same time. */
export async function openSeller(
  store: SimulatorStore,
  seller: string,
  now: Date,
): Promise<SellerStore> {
  const key = keyOf("seller", seller, []);
  const record = ((await store.read(records, key)) as SellerRecord | null) ?? newSeller();
  return {
    seller,
    record,
    now: new Date(now.getTime() + record.clockOffsetMs),
    read: async <Value>(kind: string, ...parts: string[]) =>
      (await store.read(records, keyOf(kind, seller, parts))) as Value | null,
    write: (kind, parts, value) => store.write(records, keyOf(kind, seller, parts), value),
    forget: (kind, ...parts) => store.forget(records, keyOf(kind, seller, parts)),
    list: async <Value>(kind: string) => {
      const found = await store.list(records, keyOf(kind, seller, []));
      return found.map(({ value }) => value as Value);
    },
    save: () => store.write(records, key, record),
    nextId: (kind) => {
      record.made[kind] += 1;
      return `${firstDigits[kind]}${sellerDigits(seller)}${String(record.made[kind]).padStart(7, "0")}`;
    },
  };
}

/** To change what a seller has: one request after the other, each wholly or not at all. */
export function changeSeller<Done>(
  store: SimulatorStore,
  seller: string,
  now: Date,
  work: (seller: SellerStore) => Promise<Done>,
): Promise<Done> {
  return store.exclusive(records, `seller/${encoded([seller])}/`, async (alone) =>
    work(await openSeller(alone, seller, now)),
  );
}

const firstDigits = { offers: "8", listings: "1", orders: "2" } as const;

/** Four digits, so that two sellers' ids seldom are the same. */
function sellerDigits(seller: string): string {
  let sum = 7;
  for (const character of seller) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_000;
  return String(sum + 1_000);
}
