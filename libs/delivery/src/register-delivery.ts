import type { Database } from "@cardvault/db";
import { deferDelivery, dropForEndpoint, passBreaker, recordAttempt } from "@cardvault/domain";
import type { DeliveryState } from "@cardvault/domain";
import type { Jobs, RunContext, RunOutcome } from "@cardvault/jobs";
import { forCause, SecretBoxError, toUuid, traced } from "@cardvault/kit";
import type { Clock, GuardedClient, Logger, SecretBox, Span } from "@cardvault/kit";
import { Batcher } from "./batcher.ts";
import { claim, explainRefusal } from "./claim.ts";
import type { ClaimedDelivery, Refusal } from "./claim.ts";
import { DeadlineSweep } from "./deadlines.ts";
import { EndpointHealth } from "./endpoint-health.ts";
import { EndpointSlots } from "./endpoint-slots.ts";
import { park, recordDeferrals, recordDrop, recordGone, recordOutcomes } from "./record.ts";
import type { Deferral, Recorded, Recording } from "./record.ts";
import { SecretCache } from "./secret-cache.ts";
import { send } from "./send.ts";
import { SlotShare } from "./slot-share.ts";
import type { AttemptRecord, SenderOptions } from "./send.ts";

/** Told of each attempt, for metrics. */
export interface AttemptEvent {
  readonly outcome: "delivered" | "retrying" | "dropped" | "lease_lost";
  /** Why it failed: an error code, or the class of the answer's status, as `5xx`. Null for a success. */
  readonly cause: string | null;
  readonly durationMs: number;
  /** How long after its time the attempt began. */
  readonly lateMs: number;
}

export interface DeliveryOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secretBox: SecretBox;
  readonly client: GuardedClient;
  /** Only in the local start; see {@link SenderOptions}. */
  readonly loopbackClient?: GuardedClient | undefined;
  readonly allowedPorts?: readonly number[] | undefined;
  /** The one deadline of an attempt; the spec's 10 s unless a test tells. */
  readonly timeoutMs?: number | undefined;
  /** Longer than an attempt and its record. After a crash it is repeated when this has passed. */
  readonly leaseMs?: number | undefined;
  /** Attempts at once to one endpoint, of all processes together. */
  readonly slotsPerEndpoint?: number | undefined;
  readonly onAttempt?: ((event: AttemptEvent) => void) | undefined;
  readonly onDeferred?: ((by: "cap" | "breaker" | "secret") => void) | undefined;
}

export interface RunningDelivery {
  /** Drops what is past its deadline, at once; done every minute anyway. Answers how many. */
  sweepDeadlines(): Promise<number>;
  /** Tells the other processes what this one held and learned. After `jobs.stop`. */
  stop(): Promise<void>;
}

const defaultLeaseMs = 20_000;
const defaultSlots = 10;
/** A secret that does not open is the operator's to mend: no attempt is spent on it. */
const unreadableSecretMs = 60_000;
const lostLeaseMs = 1_000;
const contendedMs = 100;
const maxRemembered = 50_000;
/** Two at a time: while one waits for the disk, the next is being gathered and worked on. */
const batches = { maxItems: 50, maxRunning: 2 };

/** Makes these jobs deliver webhooks. Call it before `jobs.start`. */
export function registerDelivery(jobs: Jobs, options: DeliveryOptions): RunningDelivery {
  const deliverer = new Deliverer(options);
  jobs.handleDeliveries((id, context) => deliverer.run(id, context));
  const sweep = new DeadlineSweep(options);
  return {
    sweepDeadlines: () => sweep.once(),
    stop: async () => {
      await Promise.all([sweep.stop(), deliverer.stop()]);
    },
  };
}

class Deliverer {
  readonly #options: DeliveryOptions;
  readonly #leaseMs: number;
  readonly #sender: SenderOptions;
  readonly #share: SlotShare;
  readonly #slots: EndpointSlots;
  readonly #health: EndpointHealth;
  readonly #claims: Batcher<string, ClaimedDelivery | undefined>;
  readonly #recordings: Batcher<Recording, Recorded | undefined>;
  readonly #deferrals: Batcher<Deferral, undefined>;
  /** Endpoints of deliveries that were put off, so that doing it again costs no statement. */
  readonly #endpointOf = new Map<string, string>();

  constructor(options: DeliveryOptions) {
    const { db, clock, slotsPerEndpoint: slots = defaultSlots } = options;
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
    this.#sender = { ...options, secrets: new SecretCache(options.secretBox) };
    this.#share = new SlotShare({ ...options, slots });
    this.#slots = new EndpointSlots(slots, this.#share);
    this.#health = new EndpointHealth(options);
    this.#claims = new Batcher({
      run: (ids) => claim(db, ids, { leaseMs: this.#leaseMs, now: clock.now(), isProbe: false }),
      ...batches,
    });
    this.#recordings = new Batcher({ run: (items) => recordOutcomes(db, items), ...batches });
    this.#deferrals = new Batcher({ run: (items) => recordDeferrals(db, items), ...batches });
  }

  async run(id: string, context: RunContext): Promise<RunOutcome> {
    const remembered = this.#endpointOf.get(id);
    if (remembered !== undefined && this.#slots.isFull(remembered)) {
      return this.#putOff(this.#slots.putOffMs(remembered));
    }
    this.#endpointOf.delete(id);
    const now = this.#options.clock.now();
    const delivery = await this.#claims.add(id);
    if (delivery === undefined) return this.#explain(id, now, context);
    const { endpointId } = delivery;
    if (!(await this.#slots.take(endpointId))) {
      this.#remember(id, endpointId);
      return this.#defer(delivery, this.#slots.putOffMs(endpointId), "cap");
    }
    const startedMs = performance.now();
    // The slot is the receiver's: what is still to be written of the attempt does not hold it.
    const sendInSlot = (): Promise<AttemptRecord | undefined> =>
      this.#send(delivery).finally(() => {
        this.#slots.release(endpointId, performance.now() - startedMs);
      });
    return this.#attempt(delivery, now, context, sendInSlot);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#health.flush(), this.#share.close()]);
  }

  /** Sends and records, for the request whose event it is. What comes before is done for several at once. */
  #attempt(
    delivery: ClaimedDelivery,
    claimedAt: Date,
    { lane, startedAtMs }: RunContext,
    sending: () => Promise<AttemptRecord | undefined>,
  ): Promise<RunOutcome> {
    const { cause, id, eventId, eventType, endpointId, state, isProbe } = delivery;
    const ids = { "vault.delivery_id": id, "vault.event_id": eventId };
    const jobFacts = { ...ids, "vault.request_id": cause.requestId, "vault.lane": lane };
    const facts = {
      ...ids,
      "vault.event": eventType,
      "vault.endpoint_id": endpointId,
      "vault.attempt": state.attempts + 1,
      "vault.probe": isProbe,
    };
    return forCause(cause, "deliver", { kind: "consumer", facts: jobFacts, startedAtMs }, () =>
      traced("attempt", { facts }, async (span) =>
        this.#record(delivery, await sending(), claimedAt, span),
      ),
    );
  }

  /** Undefined where the secret does not open, so that nothing could be sent. */
  async #send(delivery: ClaimedDelivery): Promise<AttemptRecord | undefined> {
    try {
      return await send(delivery, this.#sender);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      const { endpointId } = delivery;
      this.#options.logger.error({ err: error, endpointId }, "a signing secret does not open");
      return undefined;
    }
  }

  async #record(
    delivery: ClaimedDelivery,
    attempt: AttemptRecord | undefined,
    claimedAt: Date,
    span: Span | null,
  ): Promise<RunOutcome> {
    if (attempt === undefined) return this.#defer(delivery, unreadableSecretMs, "secret");
    const { clock, onAttempt } = this.#options;
    // The wait counts from the end of the attempt.
    const now = clock.now();
    const { endpointId, isProbe, endpointFailures } = delivery;
    const { state, isRecorded, isParked } = await this.#write(delivery, attempt, now);
    const hasDelivered = state.status === "delivered";
    this.#health.record({ endpointId, hasDelivered, isProbe, endpointFailures });
    const dueMs = delivery.state.nextAttemptAt?.getTime() ?? claimedAt.getTime();
    onAttempt?.({
      outcome: isRecorded ? endOf(state.status) : "lease_lost",
      cause: hasDelivered ? null : causeOf(attempt),
      durationMs: attempt.timings.totalMs,
      lateMs: claimedAt.getTime() - dueMs,
    });
    const result = isRecorded ? state.status : "lease_lost";
    this.#log(delivery, attempt, result);
    span?.add({ "vault.outcome": result });
    if (!hasDelivered) span?.fail(causeOf(attempt));
    if (!isRecorded) return { type: "run_again", at: new Date(now.getTime() + lostLeaseMs) };
    if (state.nextAttemptAt === null || isParked) return { type: "done" };
    return {
      type: "run_again",
      at: state.nextAttemptAt,
      lane: { shard_key: toUuid(endpointId, "whe"), attempts: state.attempts },
    };
  }

  /** Writes what an attempt came to, and answers how the delivery stands then. */
  async #write(
    delivery: ClaimedDelivery,
    attempt: AttemptRecord,
    now: Date,
  ): Promise<{ state: DeliveryState; isRecorded: boolean; isParked: boolean }> {
    const { db } = this.#options;
    const { id, endpointId } = delivery;
    const { state, disablesEndpoint } = recordAttempt(delivery.state, attempt, now);
    const isParked = state.nextAttemptAt !== null && this.#health.isCrowded(endpointId);
    const recording: Recording = { delivery, state, attempt, isParked };
    const recorded = disablesEndpoint
      ? await recordGone(db, recording, now)
      : await this.#recordings.add(recording);
    const by = recorded?.notWantedFor ?? null;
    if (by === null) return { state, isRecorded: recorded !== undefined, isParked };
    const dropped = dropForEndpoint(state, by, now);
    // Should it end here, the next claim drops it, when its retry is due.
    await recordDrop(db, id, endpointId, dropped, now);
    return { state: dropped.state, isRecorded: true, isParked };
  }

  async #explain(id: string, now: Date, context: RunContext): Promise<RunOutcome> {
    const { db, logger } = this.#options;
    const refusal = await explainRefusal(db, id, now);
    switch (refusal.type) {
      case "ended":
        return { type: "done" };
      case "look_again":
        return { type: "run_again", at: refusal.at };
      case "drop":
        await recordDrop(db, id, refusal.endpointId, refusal.outcome, now);
        logger.warn(
          {
            deliveryId: id,
            endpointId: refusal.endpointId,
            reason: refusal.outcome.state.dropReason,
          },
          "delivery dropped",
        );
        return { type: "done" };
      case "breaker":
        return this.#meetBreaker(id, refusal, now, context);
    }
  }

  /** One goes as the probe. The others leave the queue until then: the relay puts them there again. */
  async #meetBreaker(
    id: string,
    { breaker, endpointId, state }: Extract<Refusal, { type: "breaker" }>,
    now: Date,
    context: RunContext,
  ): Promise<RunOutcome> {
    const { db, onDeferred } = this.#options;
    const pass = passBreaker(breaker, this.#leaseMs, now);
    if (pass.type === "put_off") {
      await park(db, id, deferDelivery(state, pass.until).state);
      onDeferred?.("breaker");
      return { type: "done" };
    }
    const isProbe =
      pass.type === "probe" && (await this.#health.beginProbe(endpointId, breaker, pass.breaker));
    const [delivery] = isProbe
      ? await claim(db, [id], { leaseMs: this.#leaseMs, now, isProbe })
      : [];
    if (delivery === undefined) return this.#runAgain(contendedMs);
    return this.#attempt(delivery, now, context, () => this.#send(delivery));
  }

  async #defer(delivery: ClaimedDelivery, byMs: number, by: "cap" | "secret"): Promise<RunOutcome> {
    const until = new Date(this.#options.clock.now().getTime() + byMs);
    const state: DeliveryState = deferDelivery(delivery.state, until).state;
    await this.#deferrals.add({ delivery, state });
    this.#options.onDeferred?.(by);
    return { type: "run_again", at: state.nextAttemptAt ?? until };
  }

  #putOff(byMs: number): RunOutcome {
    this.#options.onDeferred?.("cap");
    return this.#runAgain(byMs);
  }

  #runAgain(afterMs: number): RunOutcome {
    return { type: "run_again", at: new Date(this.#options.clock.now().getTime() + afterMs) };
  }

  #remember(id: string, endpointId: string): void {
    const [oldest] = this.#endpointOf.keys();
    if (this.#endpointOf.size >= maxRemembered && oldest !== undefined) {
      this.#endpointOf.delete(oldest);
    }
    this.#endpointOf.set(id, endpointId);
  }

  #log(delivery: ClaimedDelivery, attempt: AttemptRecord, result: string): void {
    const line = {
      deliveryId: delivery.id,
      eventId: delivery.eventId,
      endpointId: delivery.endpointId,
      attempt: delivery.state.attempts + 1,
      statusCode: attempt.statusCode,
      errorCode: attempt.errorCode,
      totalMs: Math.round(attempt.timings.totalMs),
      result,
      ...(attempt.cause === null ? {} : { reason: attempt.cause.message }),
    };
    if (result === "delivered") this.#options.logger.debug(line, "delivery attempt");
    else if (result === "dropped") this.#options.logger.warn(line, "delivery dropped");
    else this.#options.logger.info(line, "delivery attempt");
  }
}

function endOf(status: string): "delivered" | "retrying" | "dropped" {
  return status === "delivered" || status === "dropped" ? status : "retrying";
}

function causeOf({ statusCode, errorCode }: AttemptRecord): string {
  return statusCode === null ? (errorCode ?? "unknown") : `${Math.floor(statusCode / 100)}xx`;
}
