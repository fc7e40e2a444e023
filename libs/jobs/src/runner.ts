import { Agenda } from "agenda";
import type { AgendaBackend, Job } from "agenda";
import { forNobody, isId, toUuid } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import type { Queue } from "./queue.ts";
import { delayAfter, RunAgain } from "./run-again.ts";
import type { JobStore } from "./stores/job-store.ts";
import type { WakeChannel } from "./wake-channel.ts";
import type { RunContext, RunOutcome, RunWork, WorkSource } from "./work-source.ts";

export interface RunnerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: JobStore;
  readonly queue: Queue;
  readonly channel: WakeChannel;
  readonly processEveryMs: number;
  readonly lockMs: number;
}

const errorLogEveryMs = 5_000;

/** Agenda, and what it calls. Every run ends normally or is run again: nothing lies dead in the queue. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #agenda: Agenda;
  #runs = 0;
  #ended = 0;
  #onIdle: (() => void) | undefined;
  #lastErrorLogAtMs = 0;
  #maxConcurrency = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { store, processEveryMs, lockMs, channel } = options;
    // The store is prepared by us, again and again until it answers; Agenda's own try would end the process.
    const backend: AgendaBackend = {
      name: store.kind,
      repository: store.repository,
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      ownsConnection: false,
    };
    this.#agenda = new Agenda({
      backend,
      processEvery: processEveryMs,
      defaultLockLifetime: lockMs,
      removeOnComplete: true,
      notificationChannel: channel,
    });
    this.#agenda.on("error", (error: Error) => this.#logError(error));
    // From Agenda's "start" to its "complete" a run has something to write.
    this.#agenda.on("start", () => (this.#runs += 1));
    this.#agenda.on("complete", () => {
      this.#runs -= 1;
      this.#ended += 1;
      if (this.#runs === 0) this.#onIdle?.();
    });
  }

  define(source: WorkSource, run: RunWork): void {
    for (const lane of source.lanes) {
      this.#maxConcurrency += lane.concurrency;
      // A function that names one parameter: with two Agenda would wait for a callback.
      const work = async (job: Job): Promise<void> => forNobody(() => this.#run(source, run, job));
      // oxlint-disable-next-line typescript/no-misused-promises -- The rule sees the overload with a callback only.
      this.#agenda.define(lane.name, work, {
        concurrency: lane.concurrency,
        lockLimit: lane.lockLimit,
        lockLifetime: this.#options.lockMs,
        backoff: delayAfter,
      });
    }
  }

  async start(): Promise<void> {
    this.#agenda.maxConcurrency(this.#maxConcurrency);
    await this.#agenda.start();
  }

  /** Runs in flight in this process. */
  get runs(): number {
    return this.#runs;
  }

  /** Runs that have ended in this process. */
  get ended(): number {
    return this.#ended;
  }

  /** No new runs from now on; waits for those in flight (Agenda's own `stop` does not). */
  async stop(deadlineMs: number): Promise<void> {
    await this.#agenda.stop(false).catch((error: unknown) => this.#logError(error));
    if (this.#runs === 0) return;
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, deadlineMs);
    await Promise.race([timer.promise, new Promise<void>((resolve) => (this.#onIdle = resolve))]);
    clearTimeout(timeout);
  }

  async #run(source: WorkSource, run: RunWork, job: Job): Promise<void> {
    const id = (job.attrs.data as Record<string, unknown> | null)?.[source.dataMember];
    if (typeof id !== "string" || !isId(source.idPrefix, id)) {
      this.#options.logger.error({ lane: job.attrs.name }, "a job in the queue names no work");
      return;
    }
    const outcome = await this.#runSafely(source, run, job, id);
    if (outcome.type === "done") return;
    const lane = outcome.lane === undefined ? undefined : source.laneOf(outcome.lane);
    if (lane !== undefined && outcome.lane !== undefined && lane !== job.attrs.name) {
      await this.#options.queue.put(source, [{ ...outcome.lane, id: toUuid(id), due: outcome.at }]);
      return;
    }
    throw new RunAgain(outcome.at.getTime() - this.#options.clock.now().getTime());
  }

  async #runSafely(source: WorkSource, run: RunWork, job: Job, id: string): Promise<RunOutcome> {
    const context: RunContext = {
      lane: job.attrs.name,
      startedAtMs: Date.now(),
      touch: async () => {
        const now = new Date();
        job.attrs.lockedAt = now;
        await this.#options.store.touch(String(job.attrs._id), now);
      },
    };
    try {
      return await run(id, context);
    } catch (error) {
      this.#options.logger.error(
        { err: error, [source.dataMember]: id },
        "a run failed and is repeated",
      );
      throw error;
    }
  }

  /** A store that is away makes each lane's every tick fail: one line tells it. */
  #logError(error: unknown): void {
    const nowMs = Date.now();
    if (nowMs - this.#lastErrorLogAtMs < errorLogEveryMs) return;
    this.#lastErrorLogAtMs = nowMs;
    this.#options.logger.warn({ err: error }, "Agenda could not use its store");
  }
}
