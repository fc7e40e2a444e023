import { maxLiveIds, VaultError } from "@cardvault/contract";
import type { Job, LiveMessage } from "@cardvault/contract";
import type { AccountChanges, JobRow } from "@cardvault/db";
import { isDeepStrictEqual } from "node:util";
import { tracked } from "@trpc/server";
import type { TrackedEnvelope } from "@trpc/server";
import type { Principal, SessionPrincipal } from "../context.ts";
import { jobAnswer } from "../jobs/job-answer.ts";
import type { LiveHub } from "./live-hub.ts";
import type { LiveWatch } from "./live-watch.ts";

export interface FollowOptions {
  readonly live: LiveHub;
  readonly principal: SessionPrincipal;
  /** Who the session is now; without it the rights are those of the begin. */
  readonly recheck: (() => Promise<Principal | null>) | undefined;
  /** Of the last message that came. What does not read as one is answered by a `reset`. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * A page asks for its content and to be told of changes at about the same time: what changed shortly
 * before the begin is told too, so that nothing falls between the two.
 */
const beforeBeginMs = 15_000;

/**
 * Tells what happens in an account until the connection is cut. Each message has the position up to which
 * all was told, from which another connection can go on.
 * @throws VaultError `sign_in_required` and `not_found` once the session or the membership has ended;
 * `service_unavailable` where the process ends; what {@link LiveHub.open} throws
 */
export async function* followAccount(
  options: FollowOptions,
): AsyncGenerator<TrackedEnvelope<LiveMessage>, void, undefined> {
  const { live, principal, signal } = options;
  const watch = await live.open(principal.accountId, principal.userId);
  try {
    const follower = new Follower(options, watch);
    yield* follower.begin();
    do yield* follower.news();
    while (await watch.next(signal));
  } finally {
    watch.close();
  }
}

type Told = Generator<TrackedEnvelope<LiveMessage>, void, undefined>;

class Follower {
  readonly #options: FollowOptions;
  readonly #watch: LiveWatch;
  #principal: SessionPrincipal;
  #position = new Date(0);
  #counters: unknown;
  #jobs = new Map<string, Job>();

  constructor(options: FollowOptions, watch: LiveWatch) {
    this.#options = options;
    this.#watch = watch;
    this.#principal = options.principal;
  }

  async *begin(): AsyncGenerator<TrackedEnvelope<LiveMessage>, void, undefined> {
    const { topic } = this.#watch;
    const { lastEventId } = this.#options;
    const { counters, jobs } = await topic.state();
    this.#counters = counters;
    this.#jobs = new Map(jobs.map((row) => [row.id, jobAnswer(row)]));
    const position = positionOf(lastEventId);
    const { until } = required(await topic.changesSince(position ?? farFuture));
    const isKnown = position !== undefined && position <= until;
    this.#position = isKnown ? position : new Date(until.getTime() - beforeBeginMs);
    yield this.#tell({ type: "connected", resumed: isKnown, counters });
    if (lastEventId !== undefined && !isKnown) yield this.#tell({ type: "reset" });
    if (this.#jobs.size > 0) yield this.#tell({ type: "jobs", jobs: [...this.#jobs.values()] });
  }

  /** What has happened since the last time. */
  async *news(): AsyncGenerator<TrackedEnvelope<LiveMessage>, void, undefined> {
    if (this.#watch.hasEnded) throw new VaultError("service_unavailable");
    if (this.#watch.takeRecheck() && (await this.#recheck())) yield this.#tell({ type: "access" });
    const { topic } = this.#watch;
    const [changes, state] = await Promise.all([topic.changesSince(this.#position), topic.state()]);
    yield* this.#tellChanges(required(changes));
    yield* this.#tellJobs(state.jobs);
    const { counters } = state;
    if (!isDeepStrictEqual(counters, this.#counters)) {
      this.#counters = counters;
      yield this.#tell({ type: "counters", counters });
    }
  }

  *#tellChanges({ until, cards, batches, listings }: AccountChanges): Told {
    this.#position = until;
    const most = Math.max(cards.length, batches.length, listings.length);
    if (most > maxLiveIds) yield this.#tell({ type: "reset" });
    else if (most > 0) yield this.#tell({ type: "changed", cards, batches, listings });
  }

  *#tellJobs(rows: readonly JobRow[]): Told {
    const answers = rows.map((row) => jobAnswer(row));
    const jobs = answers.filter((job) => !isDeepStrictEqual(job, this.#jobs.get(job.id)));
    this.#jobs = new Map(answers.map((job) => [job.id, job]));
    if (jobs.length > 0) yield this.#tell({ type: "jobs", jobs });
  }

  #tell(message: LiveMessage): TrackedEnvelope<LiveMessage> {
    return tracked(this.#position.toISOString(), message);
  }

  /** Whether the rights are others than before. */
  async #recheck(): Promise<boolean> {
    const before = this.#principal;
    const now = (await this.#options.recheck?.()) ?? undefined;
    if (this.#options.recheck === undefined) return false;
    if (now === undefined || now.kind === "token" || now.userId !== before.userId) {
      throw new VaultError("sign_in_required");
    }
    if (now.kind === "person") throw new VaultError("not_found");
    this.#principal = now;
    return now.role !== before.role || now.isSuspended !== before.isSuspended;
  }
}

/** After every stamp: nothing has changed since then. */
const farFuture = new Date("9999-01-01T00:00:00.000Z");

function positionOf(lastEventId: string | undefined): Date | undefined {
  const position = new Date(lastEventId ?? Number.NaN);
  return position.getTime() >= 0 && position < farFuture ? position : undefined;
}

function required(changes: AccountChanges | undefined): AccountChanges {
  if (changes === undefined) throw new VaultError("not_found");
  return changes;
}
