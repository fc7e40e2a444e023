import { VaultError } from "@cardvault/contract";
import type { Clock } from "@cardvault/kit";
import { currentCause, eventsCommitted, toUuid, traced } from "@cardvault/kit";
import { canRetry } from "../connection/database-error.ts";
import type { Database, Queryable, Transaction } from "../connection/database.ts";
import { BatchRepository } from "./batch-repository.ts";
import { CardRepository } from "./card-repository.ts";
import type { ChangedAccount } from "./change-place.ts";
import { Counters } from "./counters.ts";
import { ListingRepository } from "./listing-repository.ts";
import { liveChannel } from "../read/live.ts";
import { workChannel } from "../work/jobs.ts";
import { ChangeRecorder } from "./change-recorder.ts";
import type { ChangeOrigin } from "./change-recorder.ts";
import { writeOutbox } from "./outbox.ts";
import type { NewEvent } from "./outbox.ts";
import { PhotoRepository } from "./photo-repository.ts";

export interface ChangeAccountOptions<T> {
  accountId: string;
  /** When deliveries are due. The stamp of the change is the database's own time. */
  clock: Clock;
  /** Who asks for it, and through what: for the history of the cards. */
  by: ChangeOrigin;
  /** Writes the idempotent answer in the same commit. */
  recordAnswer?: ((tx: Transaction, result: T) => Promise<void>) | undefined;
}

/** A change of one account's cards, batches and listings. Nobody else changes them meanwhile. */
export interface AccountUnit {
  readonly tx: Transaction;
  readonly accountId: string;
  readonly account: ChangedAccount;
  /** The `updated_at` of every changed row and the `created_at` of every event. */
  readonly stamp: Date;
  /** In the order of the steps; ids are given in that order when the change is written. */
  emit(...events: NewEvent[]): void;
  readonly cards: CardRepository;
  readonly batches: BatchRepository;
  readonly listings: ListingRepository;
  readonly photos: PhotoRepository;
  readonly counters: Counters;
  /** What belongs in the history of a card and is no row that the repositories write. */
  readonly history: Pick<ChangeRecorder, "sale">;
}

const mostTries = 5;

/**
 * The one way to change cards, batches or listings: takes the account's clock, runs `work`, writes
 * what changed, its events and their deliveries and the history of its cards, commits, and then wakes
 * the relay. After a deadlock the whole of it begins again, so `work` must do nothing outside of its unit.
 * @throws VaultError what `work` throws; `not_found` where there is no such account
 */
export async function changeAccount<T>(
  db: Database,
  options: ChangeAccountOptions<T>,
  work: (unit: AccountUnit) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((tx) => changeOnce(db, tx, options, work));
    } catch (error) {
      if (attempt === mostTries || !canRetry(error)) throw error;
    }
  }
}

async function changeOnce<T>(
  db: Database,
  tx: Transaction,
  { accountId, clock, by, recordAnswer }: ChangeAccountOptions<T>,
  work: (unit: AccountUnit) => Promise<T>,
): Promise<T> {
  const held = await takeClock(tx, accountId);
  const events: NewEvent[] = [];
  const recorder = new ChangeRecorder();
  const place = { tx, accountId, account: held.account, stamp: held.stamp, recorder };
  const counters = new Counters(place, held.nextCardNumber, held.nextBatchNumber);
  const batches = new BatchRepository(place);
  const result = await work({
    tx,
    accountId,
    account: held.account,
    stamp: held.stamp,
    emit: (...more) => void events.push(...more),
    counters,
    history: recorder,
    batches,
    cards: new CardRepository(place, counters, batches),
    listings: new ListingRepository(place),
    photos: new PhotoRepository(place),
  });
  await counters.write();
  await tx.em.flush();
  const changes = recorder.changes();
  if (events.length > 0 || changes.length > 0) {
    const facts = { "vault.account_id": accountId, "vault.events": events.length };
    await traced("outbox", { kind: "producer", facts }, () => {
      const outbox = { accountId, stamp: held.stamp, now: clock.now(), by, events, changes };
      return writeOutbox(tx, { ...outbox, cause: currentCause() });
    });
  }
  if (events.length > 0) {
    tx.afterCommit(() => {
      db.notify(workChannel);
      eventsCommitted.publish(events.map(({ type }) => type));
    });
  }
  tx.afterCommit(() => db.notify(liveChannel, accountId));
  await recordAnswer?.(tx, result);
  return result;
}

/**
 * The account's time: no change that has been committed has a later stamp, and none that begins later an
 * earlier one.
 * @throws VaultError `not_found`
 */
export async function readAccountStamp(db: Queryable, accountId: string): Promise<Date> {
  const [row] = await db.query<{ stamp: Date }>(
    `select greatest(last_change, clock_timestamp()::timestamptz(3)) as stamp from account_clock
     where account_id = $1`,
    [toUuid(accountId, "acc")],
    "read_account_clock",
  );
  if (row === undefined) throw new VaultError("not_found");
  return row.stamp;
}

interface ClockRow extends ChangedAccount {
  stamp: Date;
  nextCardNumber: number;
  nextBatchNumber: number;
}

/**
 * Locks the account's clock until the commit and moves it on. Never the same stamp twice: two
 * commits within a millisecond, or after the clock stood back, would hide a row behind a cursor.
 */
async function takeClock(tx: Transaction, accountId: string) {
  const [row] = await tx.query<ClockRow>(
    `update account_clock k
     set last_change = greatest(clock_timestamp()::timestamptz(3), k.last_change + interval '1 ms')
     from account a where k.account_id = $1 and a.id = k.account_id
     returning k.last_change as stamp, k.next_card_number as "nextCardNumber",
       k.next_batch_number as "nextBatchNumber", a.currency, a.environment,
       a.sku_format as "skuFormat", a.suspended_at is not null as "isSuspended"`,
    [toUuid(accountId, "acc")],
    "take_account_clock",
  );
  if (row === undefined) throw new VaultError("not_found");
  const { stamp, nextCardNumber, nextBatchNumber, ...account } = row;
  return { stamp, nextCardNumber, nextBatchNumber, account };
}
