import { randomBytes } from "node:crypto";
import { bySystem, changeAccount, insertAccount, openDatabase } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { createJobs } from "@cardvault/jobs";
import type { Jobs, JobsOptions, StoreSettings } from "@cardvault/jobs";
import {
  allowLoopback,
  createGuardedClient,
  createLogger,
  createSecretBox,
  newId,
  systemClock,
  toUuid,
} from "@cardvault/kit";
import type { Clock } from "@cardvault/kit";
import { createTestDatabase, ManualClock, mongoUrlForTest, waitFor } from "@cardvault/testkit";
import { registerDelivery } from "./register-delivery.ts";
import type { DeliveryOptions } from "./register-delivery.ts";

/** What the delivery tests begin with: a database, a job store and a worker of their own. */
export interface Delivery {
  readonly db: Database;
  readonly clock: ManualClock;
  readonly jobs: Jobs;
  readonly store: StoreSettings;
  readonly accountId: string;
  readonly addEndpoint: (
    url: string,
    change?: { secret?: string; nextSecret?: string },
  ) => Promise<Endpoint>;
  /** Fires one event, as a change of the account does. Answers its id. */
  readonly emit: () => Promise<string>;
  readonly deliveries: (eventId: string) => Promise<DeliveryRow[]>;
  readonly attempts: (eventId: string) => Promise<AttemptRow[]>;
  /** Moves the clock, and has what is due by it then be run: the queue itself runs by the machine's. */
  readonly advance: (ms: number) => Promise<void>;
  readonly sweepDeadlines: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

interface DeliveryRow {
  id: string;
  status: string;
  attempts: number;
  next_attempt_at: Date | null;
  drop_reason: string | null;
  last_status_code: number | null;
  last_error_code: string | null;
  generation: number;
  claims: number;
  lease_token: string | null;
}

interface AttemptRow {
  number: number;
  status_code: number | null;
  error_code: string | null;
  started_at: Date;
  total_ms: number;
  response_headers: Record<string, string> | null;
  response_body: Buffer | null;
  response_truncated: boolean;
}

export const storeKinds = ["mongodb", "postgres"] as const;

export interface StartOptions {
  readonly environment?: "live" | "test" | undefined;
  readonly isWorking?: boolean | undefined;
  /** The machine's clock, where a test is about real waiting. The manual one is not moved then. */
  readonly isRealTime?: boolean | undefined;
  readonly jobs?: Partial<JobsOptions> | undefined;
  readonly delivery?: Partial<DeliveryOptions> | undefined;
}

export async function startDelivery(
  kind: (typeof storeKinds)[number],
  options: StartOptions = {},
): Promise<Delivery> {
  const database = await createTestDatabase();
  const logger = createLogger({ name: "test", level: "silent" });
  const db = await openDatabase({ url: database.url, poolSize: 5, logger });
  const manual = new ManualClock();
  const clock: Clock = options.isRealTime === true ? systemClock : manual;
  const store: StoreSettings = {
    kind,
    url: kind === "postgres" ? database.url : await mongoUrlForTest(),
  };
  const secretBox = createSecretBox([{ id: "test", key: randomBytes(32) }]);
  const client = createGuardedClient();
  const loopbackClient = createGuardedClient({ allowAddress: allowLoopback });
  const jobs = createJobs({
    db,
    clock,
    logger,
    store,
    processEveryMs: 20,
    relayEveryMs: 100,
    reconcile: { everyMs: 3_600_000, enqueuedMs: 0, overdueMs: 0 },
    ...options.jobs,
  });
  const common = { db, clock, logger, secretBox, client, loopbackClient };
  const delivering = registerDelivery(jobs, { ...common, ...options.delivery });
  const accountId = newId("acc");
  await insertAccount(db, {
    id: accountId,
    name: "Shop",
    environment: options.environment ?? "test",
    currency: "USD",
    liveAccountId: null,
    createdAt: clock.now(),
  });
  if (options.isWorking !== false) await jobs.start();

  return {
    db,
    clock: manual,
    jobs,
    store,
    accountId,
    addEndpoint: async (url, change = {}) => {
      const id = newId("whe");
      const secret = change.secret ?? `whsec_${randomBytes(32).toString("base64")}`;
      const next = change.nextSecret;
      await db.query(
        `insert into webhook_endpoint (id, account_id, url, secret, next_secret, secret_switch_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $7)`,
        [
          toUuid(id),
          toUuid(accountId),
          url,
          secretBox.seal(secret, id),
          next === undefined ? null : secretBox.seal(next, id),
          next === undefined ? null : new Date(clock.now().getTime() + 3_600_000),
          clock.now(),
        ],
      );
      return { id, secret };
    },
    emit: () => emit(db, accountId, clock),
    deliveries: (eventId) =>
      db.query(
        "select * from webhook_delivery where event_id = $1 order by endpoint_id, generation",
        [toUuid(eventId)],
      ),
    attempts: (eventId) =>
      db.query(
        `select a.* from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id
         where d.event_id = $1 order by d.endpoint_id, d.generation, a.number`,
        [toUuid(eventId)],
      ),
    advance: async (ms) => {
      // A run that is still telling the queue when to run again reckons with the clock as it was.
      await waitFor(() => jobs.runsInFlight() === 0);
      manual.advance(ms);
      await jobs.reconcileOnce();
    },
    sweepDeadlines: () => delivering.sweepDeadlines(),
    stop: async () => {
      await jobs.stop();
      await delivering.stop();
      await Promise.all([client.close(), loopbackClient.close()]);
      await db.close();
      await database.drop();
    },
  };
}

async function emit(db: Database, accountId: string, clock: Clock): Promise<string> {
  const card = newId("card");
  await changeAccount(db, { accountId, clock, by: bySystem }, (unit) => {
    unit.emit({
      type: "card.priced",
      data: { card_id: card, asking_price: { amount: 1250, currency: "USD" } },
    });
    return Promise.resolve();
  });
  const [event] = await db.query<{ body: string }>(
    "select body from webhook_event where subject_id = $1",
    [toUuid(card)],
  );
  return (JSON.parse(event?.body ?? "{}") as { id: string }).id;
}
