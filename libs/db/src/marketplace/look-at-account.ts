import { VaultError } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import { BatchRepository } from "../change/batch-repository.ts";
import { CardRepository } from "../change/card-repository.ts";
import type { ChangedAccount } from "../change/change-place.ts";
import { ChangeRecorder } from "../change/change-recorder.ts";
import { Counters } from "../change/counters.ts";
import { ListingRepository } from "../change/listing-repository.ts";
import type { Database, Queryable, Transaction } from "../connection/database.ts";

/** Cards and listings as the rules take them, to look at. Nothing that is looked at is written. */
export interface AccountLook {
  readonly tx: Transaction;
  readonly account: ChangedAccount;
  readonly cards: Pick<CardRepository, "get" | "getMany">;
  readonly listings: Pick<ListingRepository, "get">;
  readonly batches: Pick<BatchRepository, "get">;
}

/**
 * Looks at an account without its clock: for dry runs and previews, and for what is decided before a
 * change begins and looked at again in it.
 * @throws VaultError `not_found` where there is no such account
 */
export function lookAtAccount<T>(
  db: Database,
  accountId: string,
  look: (at: AccountLook) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const [account] = await tx.query<ChangedAccount & { now: Date }>(
      `select currency, environment, sku_format as "skuFormat", suspended_at is not null as "isSuspended",
         clock_timestamp() as now from account where id = $1`,
      [toUuid(accountId, "acc")],
      "look-at-account",
    );
    if (account === undefined) throw new VaultError("not_found");
    const place = { tx, accountId, account, stamp: account.now, recorder: new ChangeRecorder() };
    const batches = new BatchRepository(place);
    return look({
      tx,
      account,
      cards: new CardRepository(place, new Counters(place, 0, 0), batches),
      listings: new ListingRepository(place),
      batches,
    });
  });
}

/** The photos of cards in the order in which a listing shows them: those made for listings come first. */
export async function readListingPhotos(
  db: Queryable,
  accountId: string,
  cardIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db.query<{ card: string; ids: string[] }>(
    `select card_id as card, array_agg(id order by side <> 'listing', side = 'back', position, id) as ids
     from photo where account_id = $1 and card_id = any ($2::uuid[]) group by card_id`,
    [toUuid(accountId), cardIds.map((id) => toUuid(id, "card"))],
    "listing-photos",
  );
  return new Map(
    rows.map(({ card, ids }) => [toId("card", card), ids.map((id) => toId("img", id))]),
  );
}

/** The card that was changed last, to show something by; null where the account has none. */
export async function findLatestCardId(db: Queryable, accountId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    "select id from card where account_id = $1 and title is not null order by updated_at desc, id desc limit 1",
    [toUuid(accountId)],
    "latest-card",
  );
  return row === undefined ? null : toId("card", row.id);
}

/** Whether a listing of the account is or was live under this number of the marketplace's. */
export async function isExternalListingKnown(
  db: Queryable,
  accountId: string,
  externalListingId: string,
): Promise<boolean> {
  const rows = await db.query(
    "select 1 from listing where account_id = $1 and marketplace = 'ebay' and external_listing_id = $2 limit 1",
    [toUuid(accountId), externalListingId],
    "external-listing-known",
  );
  return rows.length > 0;
}
