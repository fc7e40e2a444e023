import {
  dropUndelivered,
  enqueueJob,
  hasRetentionJobSince,
  lockEndpoint,
  readDisabledSince,
  readEndpointsToCheck,
  readUnmailedNotices,
  sweepIdempotency,
  sweepImports,
  tryHousekeeping,
  workChannel,
  writeEndpoint,
  writeEndpointOutcomes,
} from "@cardvault/db";
import type { CheckedEndpoint, Database, Transaction } from "@cardvault/db";
import { healthStep, observeAttempts } from "@cardvault/domain";
import type { Clock, Logger } from "@cardvault/kit";
import { settleBatches } from "../bulk/settle-batches.ts";
import { tendListings } from "../listings/tend-listings.ts";
import { sweepPhotos } from "../photos/sweep-photos.ts";
import type { SweepPhotosOptions } from "../photos/sweep-photos.ts";
import type { Learner } from "../recognise/learn.ts";
import { writeTrail } from "../trail.ts";
import { disabledNotice, droppedNotice, failingNotice } from "./notice-texts.ts";
import { noticeMailKind } from "./notice-mail.ts";
import { askForMail, notify } from "./notify.ts";
import { retentionKind } from "./retention.ts";

export interface HousekeepingOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Whether notices are mailed too. */
  sendsMail: boolean;
  /** Where pictures lie, and the folders of files that are not finished. */
  photos?: HousekeepingPhotos | undefined;
  /** Teaches the local recogniser, where there is one. */
  learner?: Learner | undefined;
}

export type HousekeepingPhotos = Pick<SweepPhotosOptions, "pictureStore" | "unfinishedFolders">;

export interface Housekeeping {
  /** One round, now. What another process is doing at this moment is left to it. */
  once(): Promise<void>;
  /** A round every so often. */
  start(everyMs?: number): void;
  /** Waits for the round that is under way. */
  stop(): Promise<void>;
}

const defaultEveryMs = 60_000;
const endpointsAtOnce = 200;
/** Longer than a drop takes from its time to its commit. */
const settledMs = 30_000;
const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
const system = { kind: "system", id: null } as const;

/**
 * What has to be looked after from time to time: endpoints that fail for days, notices of them and of
 * dropped events, what is kept too long, and batches that a process left processing when it died. Any
 * number of processes may do it: each part is done in a transaction that holds one lock, or twice to no
 * harm, and nothing is told twice.
 */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { logger } = options;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  const once = async (): Promise<void> => {
    await checkEndpoints(options);
    await tellDisabled(options);
    await mailRevoked(options);
    await askForRetention(options);
    await sweepIdempotency(options.db, options.clock.now());
    await sweepLists(options);
    if (options.photos !== undefined) await sweepPhotos({ ...options, ...options.photos });
    await options.learner?.once();
    await settleBatches(options);
    await tendListings(options);
  };
  return {
    once,
    start(everyMs = defaultEveryMs) {
      timer = setInterval(() => {
        round ??= once()
          .catch((error: unknown) => logger.warn({ err: error }, "housekeeping failed"))
          .finally(() => (round = undefined));
      }, everyMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

/** Uploads that broke off, and the files of imports that have ended long ago. */
function sweepLists({ db, clock }: HousekeepingOptions): Promise<void> {
  const now = clock.now().getTime();
  return sweepImports(db, { uploading: new Date(now - dayMs), files: new Date(now - 30 * dayMs) });
}

/** A piece of work under the lock; undefined where another process holds it. */
function exclusively<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction(async (tx) => ((await tryHousekeeping(tx)) ? work(tx) : undefined));
}

async function checkEndpoints(options: HousekeepingOptions): Promise<void> {
  let after: string | null | undefined = null;
  do after = await exclusively(options.db, (tx) => checkNext(options, tx, after ?? null));
  while (after !== null && after !== undefined);
}

/** @returns where to go on, or null at the end */
async function checkNext(
  options: HousekeepingOptions,
  tx: Transaction,
  after: string | null,
): Promise<string | null> {
  const now = options.clock.now();
  const dropsUntil = new Date(now.getTime() - settledMs);
  const endpoints = await readEndpointsToCheck(tx, after, endpointsAtOnce, { now, dropsUntil });
  const outcomes = [];
  for (const endpoint of endpoints) {
    const record = observeAttempts(endpoint.record, endpoint.found);
    const step = healthStep(record);
    if (step.type === "disable") await disable(options, tx, endpoint, now);
    if (step.type === "warn") await notify(options, tx, failingNotice(endpoint, record, step), now);
    const isTold = await tellDropped(options, tx, endpoint, now);
    const dropsToldUntil = isTold ? dropsUntil : endpoint.dropsToldUntil;
    outcomes.push({ endpointId: endpoint.id, record, dropsToldUntil });
  }
  await writeEndpointOutcomes(tx, outcomes, now);
  return endpoints.length < endpointsAtOnce ? null : (endpoints.at(-1)?.id ?? null);
}

/** Told at most once an hour for an endpoint; drops in between wait, and are counted then. */
async function tellDropped(
  options: HousekeepingOptions,
  tx: Transaction,
  endpoint: CheckedEndpoint,
  now: Date,
): Promise<boolean> {
  const { untoldDrops, lastDropNoticeAt } = endpoint;
  const isEarly = lastDropNoticeAt !== null && now.getTime() - lastDropNoticeAt.getTime() < hourMs;
  if (untoldDrops === 0 || isEarly) return false;
  return notify(options, tx, droppedNotice(endpoint, now), now);
}

async function disable(
  { logger }: HousekeepingOptions,
  tx: Transaction,
  { id, accountId }: CheckedEndpoint,
  now: Date,
): Promise<void> {
  const endpoint = await lockEndpoint(tx, accountId, id);
  if (endpoint?.enabled !== true) return;
  const disabled = { enabled: false, disabledReason: "failing", disabledAt: now } as const;
  await writeEndpoint(tx, accountId, { ...endpoint, ...disabled, updatedAt: now });
  await dropUndelivered(tx, id, "endpoint_disabled", now);
  logger.warn(
    { accountId, endpointId: id },
    "an endpoint was disabled: it has failed for five days",
  );
}

/** Tells of endpoints that were disabled without anybody's doing, here or by the sender on a 410. */
async function tellDisabled(options: HousekeepingOptions): Promise<void> {
  await exclusively(options.db, async (tx) => {
    const now = options.clock.now();
    for (const endpoint of await readDisabledSince(tx, new Date(now.getTime() - dayMs))) {
      const isTold = await notify(options, tx, disabledNotice(endpoint), now);
      if (!isTold) continue;
      const access = { accountId: endpoint.accountId, actor: system };
      const { reason, dropped } = endpoint;
      const details = { reason, dropped };
      await writeTrail(tx, access, endpoint.disabledAt, "endpoint.disabled", endpoint.id, details);
    }
  });
}

/** A connection is found ended by whoever calls the marketplace, a process that knows no mail server too. */
async function mailRevoked({ db, clock, sendsMail }: HousekeepingOptions): Promise<void> {
  if (!sendsMail) return;
  await exclusively(db, async (tx) => {
    const now = clock.now();
    const since = new Date(now.getTime() - dayMs);
    for (const notice of await readUnmailedNotices(
      tx,
      "marketplace_revoked",
      noticeMailKind,
      since,
    )) {
      await askForMail(db, tx, notice, now);
    }
  });
}

/** Once a day. */
async function askForRetention({ db, clock }: HousekeepingOptions): Promise<void> {
  await exclusively(db, async (tx) => {
    const now = clock.now();
    if (await hasRetentionJobSince(tx, new Date(now.getTime() - dayMs))) return;
    await enqueueJob(tx, { kind: retentionKind, accountId: null, payload: {} }, now);
    tx.afterCommit(() => db.notify(workChannel));
  });
}
