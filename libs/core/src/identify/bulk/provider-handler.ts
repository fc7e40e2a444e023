import { VaultError } from "@cardvault/contract";
import type { Card, JobItemOutcome } from "@cardvault/contract";
import { findAccount, getCard, markJobItems, readNextItems } from "@cardvault/db";
import type { ItemMark, Queryable } from "@cardvault/db";
import { selectCards } from "../../bulk/select-cards.ts";
import { settleBatch } from "../../bulk/settle-batches.ts";
import type { Access } from "../../context.ts";
import type { Services } from "../../services.ts";
import type { WorkContext, WorkHandler, WorkOutcome } from "../../work/handler.ts";
import type { BulkPayload } from "../../bulk/bulk-job.ts";
import { BudgetSpentError } from "../metered-call.ts";
import { budgetWaitMs, readProviderJob, waitFor } from "./provider-progress.ts";
import type { ProviderProgress } from "./provider-progress.ts";

/** What became of one card. */
export interface CardResult {
  outcome: JobItemOutcome;
  code?: string | undefined;
  message?: string | undefined;
  changedAt?: Date | undefined;
  /** A person has to decide about the card now. */
  isInReview?: boolean | undefined;
}

/** What is done with one card of a job. */
export interface ProviderTask {
  access: Access;
  card: Card;
  payload: BulkPayload;
  jobId: string;
  /** Runs the change that settles the card. One of a job is written at a time. */
  commit: <T>(write: () => Promise<T>) => Promise<T>;
  /** Writes the result and the job's progress with it, in the transaction of that change. */
  settle: (tx: Queryable, result: CardResult) => Promise<void>;
  /** False: the outage is taken for the card's own fault. */
  throwsOutage: boolean;
}

export interface ProviderHandlerOptions {
  needs: Pick<Services, "db" | "clock" | "photoUrls">;
  /**
   * Asks about one card and settles it.
   * @throws VaultError `service_unavailable` where providers are away: nothing of the card was changed
   */
  work: (task: ProviderTask) => Promise<void>;
}

/** Cards that are asked about at once; the providers' own limits may make it fewer. */
const concurrency = 4;
const cardsOfChunk = 16;
/** One run of the job goes on for about so long. */
const runMs = 20_000;
/** Shorter than a job's lease, which a slow provider would outlast. */
const renewMs = 5_000;
/** A card that meets an outage so often while others do not is not waited for any more. */
const mostTries = 3;

/**
 * Runs jobs that ask providers about many cards. Each card is settled in a commit of its own. Providers
 * that are away cost no card: the job waits, says so, and goes on with the same cards. So it does where the
 * account may not spend more.
 */
export function providerHandler(options: ProviderHandlerOptions): WorkHandler {
  const { needs } = options;
  return {
    pausesWhenSuspended: true,
    run: (context) => runJob(options, context),
    ended: async ({ accountId, batchId }) => {
      if (accountId !== null && batchId !== null) {
        await settleBatch(needs, { accountId, batchId });
      }
    },
  };
}

async function runJob(
  { needs, work }: ProviderHandlerOptions,
  context: WorkContext,
): Promise<WorkOutcome> {
  const { db, clock } = needs;
  const { job } = context;
  const { payload, progress } = readProviderJob(job);
  const accountId = job.accountId ?? "";
  const account = await findAccount(db, accountId);
  if (account === null) {
    return { type: "failed", reason: "not_found", message: "The account is gone." };
  }
  const { environment, currency } = account;
  const access = { accountId, environment, currency, actor: payload.actor, via: "job" } as const;
  const run = new ProviderRun(needs, work, context, access, payload, progress);
  const isHeld = keepLease(context);
  const untilMs = performance.now() + runMs;
  try {
    while (performance.now() < untilMs && isHeld()) {
      if (run.progress.phase === "selecting") {
        const selecting = { db, context, accountId, payload };
        run.progress = {
          ...run.progress,
          ...(await selectCards(selecting, run.progress)).progress,
        };
        continue;
      }
      // Suspended since the job was claimed: the next claim pauses it.
      if ((await findAccount(db, accountId))?.status === "suspended") break;
      const step = await run.chunk(isHeld);
      if (step === "done") return { type: "done", progress: run.progress };
      if (step !== "more") {
        const runAt = new Date(clock.now().getTime() + step.waitMs);
        return { type: "chunk", progress: run.waitingUntil(runAt, step.code), runAt };
      }
    }
    return { type: "chunk", progress: run.progress };
  } finally {
    isHeld.stop();
  }
}

type Held = (() => boolean) & { stop: () => void };

/** Renews the job's lease while providers are waited for. False once it is another's, paused or cancelled. */
function keepLease({ renew, logger }: WorkContext): Held {
  let held = true;
  let renewing = false;
  const timer = setInterval(() => {
    if (renewing || !held) return;
    renewing = true;
    renew().then(
      (is) => {
        held = held && is;
        renewing = false;
      },
      (error: unknown) => {
        logger.warn({ err: error }, "the lease of a job could not be renewed");
        renewing = false;
      },
    );
  }, renewMs);
  return Object.assign(() => held, { stop: () => clearInterval(timer) });
}

type ChunkEnd = "done" | "more" | { waitMs: number; code: "provider_unavailable" | "budget_spent" };

class ProviderRun {
  progress: ProviderProgress;
  readonly #needs: ProviderHandlerOptions["needs"];
  readonly #work: ProviderHandlerOptions["work"];
  readonly #context: WorkContext;
  readonly #access: Access;
  readonly #payload: BulkPayload;
  /** Commits follow one another, so that each saves the progress after the one before it. */
  #turn: Promise<void> = Promise.resolve();

  constructor(
    needs: ProviderHandlerOptions["needs"],
    work: ProviderHandlerOptions["work"],
    context: WorkContext,
    access: Access,
    payload: BulkPayload,
    progress: ProviderProgress,
  ) {
    this.#needs = needs;
    this.#work = work;
    this.#context = context;
    this.#access = access;
    this.#payload = payload;
    this.progress = { ...progress, waiting: null };
  }

  waitingUntil(until: Date, code: string): ProviderProgress {
    const waiting = { code, until: until.toISOString() };
    return { ...this.progress, waits: this.progress.waits + 1, waiting };
  }

  /** The next cards, several at once. */
  async chunk(isHeld: () => boolean): Promise<ChunkEnd> {
    const after = this.progress.after ?? undefined;
    const page = { after, limit: cardsOfChunk };
    const ids = await readNextItems(this.#needs.db, this.#context.job.id, page);
    if (ids.length === 0) return "done";
    const queue = [...ids];
    const away: { id: string; error: VaultError }[] = [];
    let settled = 0;
    const worker = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const error = await this.#card(id);
        if (error === null) settled += 1;
        else away.push({ id, error });
        // Others would meet the same; those in flight end by themselves.
        if (away.length > 0 || !isHeld()) queue.length = 0;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: concurrency }, worker));
    const broken = ends.find((end) => end.status === "rejected");
    if (broken !== undefined) throw broken.reason;
    if (away.length === 0) {
      if (settled === ids.length) this.progress = { ...this.progress, after: ids.at(-1) ?? null };
      this.progress = { ...this.progress, waits: 0 };
      return "more";
    }
    return this.#waitFor(away, settled);
  }

  #waitFor(away: readonly { id: string; error: VaultError }[], settled: number): ChunkEnd {
    // Nothing is wrong with a card for which there was no money left.
    if (away.some(({ error }) => error instanceof BudgetSpentError)) {
      return { waitMs: budgetWaitMs, code: "budget_spent" };
    }
    const { waits, tries } = this.progress;
    if (settled > 0) {
      const counted = Object.fromEntries(away.map(({ id }) => [id, (tries[id] ?? 0) + 1]));
      this.progress = { ...this.progress, waits: 0, tries: counted };
    }
    const asked = away.map(({ error }) => error.retryAfterSeconds ?? 0);
    const waitMs = waitFor(settled > 0 ? 0 : waits, Math.max(...asked) * 1_000);
    return { waitMs, code: "provider_unavailable" };
  }

  /** Null once the card is settled; the outage where it has to wait. */
  async #card(id: string): Promise<VaultError | null> {
    const { db, photoUrls } = this.#needs;
    const { accountId } = this.#access;
    let pending = this.progress;
    const settle: ProviderTask["settle"] = async (tx, result) => {
      pending = await this.#settle(tx, id, result);
    };
    const commit: ProviderTask["commit"] = (write) =>
      this.#inTurn(async () => {
        const written = await write();
        this.progress = pending;
        return written;
      });
    try {
      await this.#work({
        access: this.#access,
        card: await getCard(db, accountId, id, photoUrls.urlOf),
        payload: this.#payload,
        jobId: this.#context.job.id,
        commit,
        settle,
        throwsOutage: (this.progress.tries[id] ?? 0) < mostTries,
      });
      return null;
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      if (error.code === "service_unavailable") return error;
      if (error.status >= 500 || error.code === "conflict") throw error;
      const { code, message } = error;
      const refused = { outcome: "failed", code, message } as const;
      await commit(() => db.transaction((tx) => settle(tx, refused)));
      return null;
    }
  }

  async #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      return await write();
    } finally {
      resolve();
    }
  }

  /** The progress as it is once the transaction is committed. */
  async #settle(tx: Queryable, id: string, result: CardResult): Promise<ProviderProgress> {
    const { job, saveProgress } = this.#context;
    const { outcome, code = null, message = null, changedAt = null, isInReview = false } = result;
    const mark: ItemMark = { cardId: id, outcome, code, message, changedAt };
    if ((await markJobItems(tx, job.id, [mark])) === 0) {
      throw new VaultError("conflict", { message: "Another run has worked on this card." });
    }
    const next = {
      ...this.progress,
      done: this.progress.done + 1,
      [outcome]: this.progress[outcome] + 1,
      in_review: this.progress.in_review + (isInReview ? 1 : 0),
    };
    await saveProgress(tx, next);
    return next;
  }
}
