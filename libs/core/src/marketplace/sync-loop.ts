import { beginSyncs, claimSync, endSync, renewSync, syncChannel } from "@cardvault/db";
import type { ClaimedSync, Subscription } from "@cardvault/db";
import type { MarketplaceNeeds } from "./open-marketplace.ts";
import { syncAccount } from "./sync-account.ts";
import type { SyncRound } from "./sync-account.ts";

export interface MarketplaceSync {
  /** Runs the rounds that are due, until none is. Answers how many there were. */
  once(): Promise<number>;
  start(): void;
  /** Waits for the rounds that are under way. */
  stop(): Promise<void>;
}

/** Each account's marketplace is read so often. */
const everyMs = 60_000;
/** A round that is not renewed within this has died with its process. */
const leaseMs = 45_000;
/** One that runs is held for longer, whatever it waits for. */
const renewEveryMs = 10_000;
/** Looks for what is due. A round that is asked for sooner is told of. */
const lookEveryMs = 5_000;
/** New accounts are looked for. */
const beginEveryMs = 10_000;
/** Accounts of one process at a time. */
const accountsAtOnce = 3;
/** What goes wrong for long is tried less often. */
const mostWaitMs = 5 * 60_000;

/**
 * Reads the marketplaces of all accounts that have something there. Any number of processes may do it: a round is
 * taken by a lease, so that only one of them reads an account at a time. It is no job: it never ends, and nobody may
 * cancel it.
 */
export function createMarketplaceSync(needs: MarketplaceNeeds): MarketplaceSync {
  const { db, clock, logger } = needs;
  let begunAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let working: Promise<unknown> | undefined;
  let listening: Promise<Subscription | undefined> | undefined;

  const next = async (): Promise<number> => {
    let rounds = 0;
    for (;;) {
      if (isStopping) return rounds;
      const claimed = await claimSync(db, clock.now(), leaseMs);
      if (claimed === null) return rounds;
      await runRound(needs, claimed);
      rounds += 1;
    }
  };
  const once = async (): Promise<number> => {
    const now = clock.now();
    if (now.getTime() - begunAtMs >= beginEveryMs) {
      await beginSyncs(db, now);
      begunAtMs = now.getTime();
    }
    const rounds = await Promise.all(Array.from({ length: accountsAtOnce }, next));
    return rounds.reduce((sum, count) => sum + count, 0);
  };
  const look = (): void => {
    if (isStopping) return;
    working ??= once()
      .catch((error: unknown) => logger.warn({ err: error }, "reading marketplaces failed"))
      .finally(() => (working = undefined));
  };
  return {
    once,
    start() {
      timer = setInterval(look, lookEveryMs);
      timer.unref();
      listening = db.listen(syncChannel, look).catch((error: unknown) => {
        logger.warn({ err: error }, "listening for rounds of the marketplace failed");
        return undefined;
      });
      look();
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await working;
      await (await listening)?.close();
    },
  };
}

async function runRound(needs: MarketplaceNeeds, claimed: ClaimedSync): Promise<void> {
  const { db, clock, logger } = needs;
  const { accountId } = claimed;
  const renew = (): Promise<boolean> =>
    renewSync(db, claimed, new Date(clock.now().getTime() + leaseMs));
  const heartbeat = setInterval(() => {
    renew().catch((error: unknown) => logger.warn({ err: error }, "a round was not renewed"));
  }, renewEveryMs);
  const round = await syncAccount(needs, accountId, renew)
    .catch((error: unknown): SyncRound => {
      logger.warn({ err: error, accountId }, "a round of the marketplace broke off");
      return { ok: false, code: "unavailable", retryAfterMs: null };
    })
    .finally(() => clearInterval(heartbeat));
  const now = clock.now();
  await endSync(db, claimed, {
    failure: round.ok ? null : { code: round.code },
    now,
    nextAt: new Date(now.getTime() + waitMs(claimed, round, now)),
  });
}

function waitMs({ failedSince }: ClaimedSync, round: SyncRound, now: Date): number {
  if (round.ok) return everyMs;
  const failingMs = failedSince === null ? 0 : now.getTime() - failedSince.getTime();
  return Math.max(everyMs, round.retryAfterMs ?? 0, Math.min(mostWaitMs, failingMs / 2));
}
