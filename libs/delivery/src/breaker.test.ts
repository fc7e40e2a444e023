import { breakerUndelivered } from "@cardvault/domain";
import { toUuid } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startDelivery, storeKinds } from "./fixtures.ts";
import type { Delivery, StartOptions } from "./fixtures.ts";

let receiver: Receiver;
let delivery: Delivery | undefined;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await delivery?.stop();
  delivery = undefined;
  await receiver.stop();
});

async function start(kind: (typeof storeKinds)[number], options?: StartOptions): Promise<Delivery> {
  delivery = await startDelivery(kind, options);
  return delivery;
}

async function phaseOf({ db }: Delivery, endpointId: string): Promise<string> {
  const [row] = await db.query<{ phase: string }>(
    "select phase from webhook_endpoint_health where endpoint_id = $1",
    [toUuid(endpointId)],
  );
  return row?.phase ?? "closed";
}

async function spentAttempts({ db }: Delivery): Promise<number> {
  const [row] = await db.query<{ spent: number }>(
    "select coalesce(sum(attempts), 0) as spent from webhook_delivery",
  );
  return row?.spent ?? 0;
}

async function loggedAttempts({ db }: Delivery): Promise<number> {
  const [row] = await db.query<{ logged: number }>(
    "select count(*) as logged from webhook_attempt",
  );
  return row?.logged ?? 0;
}

/** More deliveries of the one endpoint than the breaker needs to open. */
const many = breakerUndelivered + 50;

async function failUntilOpen(setup: Delivery): Promise<{ id: string; attempts: number }> {
  const { id } = await setup.addEndpoint(receiver.url);
  receiver.always({ kind: "status", status: 503 });
  for (let count = 0; count < many; count += 1) await setup.emit();
  await setup.jobs.start();
  await waitFor(async () => (await phaseOf(setup, id)) === "open", { deadlineMs: 20_000 });
  // What was in flight ends, and what the queue still has is put off.
  const isQuiet = async (): Promise<boolean> => {
    const leased = await setup.db.query(
      "select 1 from webhook_delivery where lease_token is not null",
    );
    return leased.length === 0 && setup.jobs.runsInFlight() === 0;
  };
  await waitFor(isQuiet);
  return { id, attempts: await spentAttempts(setup) };
}

describe.each(storeKinds)("with the queue in %s", (kind) => {
  test("the breaker of a dead endpoint opens, puts off unspent, probes one by one, and closes", async () => {
    const setup = await start(kind, { isWorking: false });
    const { id, attempts: before } = await failUntilOpen(setup);
    expect(before).toBeLessThan(many);
    const requests = receiver.requests.length;
    expect(requests).toBe(before);

    // It is time for a probe: one request, of one delivery, and no other attempt is spent.
    await setup.advance(5_000);
    await waitFor(() => receiver.requests.length === requests + 1);
    await waitFor(async () => (await phaseOf(setup, id)) === "open");
    await setup.advance(9_000);
    expect(receiver.requests).toHaveLength(requests + 1);
    expect(await spentAttempts(setup)).toBe(before + 1);
    expect(await loggedAttempts(setup)).toBe(before + 1);

    // It is alive again: the probe is delivered, and all the others follow.
    receiver.always({ kind: "status", status: 200 });
    await setup.advance(1_000);
    await waitFor(async () => (await phaseOf(setup, id)) === "closed");
    await setup.advance(600_000);
    const open = "select 1 from webhook_delivery where status <> 'delivered'";
    await waitFor(
      async () => {
        // Those that find no slot are put off by a moment of the clock, which stands still.
        await setup.advance(1_000);
        return (await setup.db.query(open)).length === 0;
      },
      { deadlineMs: 20_000 },
    );
    expect(await loggedAttempts(setup)).toBe(await spentAttempts(setup));
  }, 60_000);

  test("what waits behind it is dropped at its deadline, visibly", async () => {
    const setup = await start(kind, { isWorking: false });
    await failUntilOpen(setup);
    await setup.jobs.stop();
    setup.clock.advance(48 * 3_600_000);
    expect(await setup.sweepDeadlines()).toBe(many);
    const rows = await setup.db.query<{ drop_reason: string }>(
      "select drop_reason from webhook_delivery where status = 'dropped'",
    );
    expect(rows).toHaveLength(many);
    expect(new Set(rows.map(({ drop_reason }) => drop_reason))).toEqual(new Set(["deadline"]));
  }, 60_000);
});

test("with a hundred undelivered it stays closed, and every retry keeps its time", async () => {
  const setup = await start("postgres", { isWorking: false, isRealTime: true });
  const { id } = await setup.addEndpoint(receiver.url);
  receiver.always({ kind: "status", status: 503 });
  for (let count = 0; count < breakerUndelivered; count += 1) await setup.emit();
  await setup.jobs.start();
  await waitFor(async () => (await loggedAttempts(setup)) === breakerUndelivered, {
    deadlineMs: 20_000,
  });
  expect(await phaseOf(setup, id)).toBe("closed");
  const rows = await setup.db.query<{ wait_ms: number }>(
    `select extract(epoch from d.next_attempt_at - a.started_at) * 1000 - a.total_ms as wait_ms
     from webhook_delivery d join webhook_attempt a on a.delivery_id = d.id`,
  );
  expect(rows).toHaveLength(breakerUndelivered);
  for (const { wait_ms } of rows) {
    // The end is stamped a moment after the answer.
    expect(wait_ms).toBeGreaterThanOrEqual(29_999);
    expect(wait_ms).toBeLessThan(31_000);
  }
}, 40_000);

test("past the deadline after a 410 the endpoint is disabled, and its others are dropped with it", async () => {
  const setup = await start("postgres", { isWorking: false });
  await setup.addEndpoint(receiver.url);
  await setup.emit();
  await setup.emit();
  await setup.db.query(
    "update webhook_delivery set status = 'retrying', attempts = 3, last_status_code = 410",
  );
  setup.clock.advance(48 * 3_600_000);
  await setup.sweepDeadlines();
  const [endpoint] = await setup.db.query("select enabled, disabled_reason from webhook_endpoint");
  expect(endpoint).toEqual({ enabled: false, disabled_reason: "gone" });
  expect(
    await setup.db.query("select drop_reason from webhook_delivery order by drop_reason"),
  ).toEqual([{ drop_reason: "deadline" }, { drop_reason: "endpoint_disabled" }]);
});
