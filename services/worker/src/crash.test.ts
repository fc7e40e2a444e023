import { verifyWebhook } from "@cardvault/client";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { expect, test, describe, onTestFinished } from "vitest";
import { createInstallation, spawnWorker } from "./fixtures.ts";
import type { Installation, WorkerProcess } from "./fixtures.ts";
import { testIsolation } from "./isolation-fixtures.ts";

async function setUp(kind: "mongodb" | "postgres"): Promise<Installation> {
  const installation = await createInstallation(kind);
  onTestFinished(() => installation.remove());
  return installation;
}

async function work(installation: Installation): Promise<WorkerProcess> {
  const worker = await spawnWorker(installation.config);
  onTestFinished(() => worker.kill());
  return worker;
}

describe.each(["mongodb", "postgres"] as const)("with the queue in %s", (kind) => {
  test("a worker killed between the POST and the commit: the event arrives again, and one attempt counts", async () => {
    const installation = await setUp(kind);
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const { secret } = await installation.addEndpoint(receiver.url);
    receiver.script({ kind: "hang" });
    const worker = await work(installation);
    await installation.emit(1);
    await receiver.waitFor(1);
    await worker.kill();

    await work(installation);
    const [first, second] = await receiver.waitFor(2);
    expect(second?.body).toEqual(first?.body);
    verifyWebhook(second?.body ?? "", second?.headers["x-vault-signature"], secret);
    const [row] = await waitFor(async () => {
      const rows = await installation.db.query<Record<string, unknown>>(
        "select * from webhook_delivery",
      );
      return rows[0]?.["status"] === "delivered" && rows;
    });
    expect(row).toMatchObject({ attempts: 1, claims: 0, lease_token: null });
    expect(await installation.db.query("select number from webhook_attempt")).toEqual([
      { number: 1 },
    ]);
    expect(receiver.requests).toHaveLength(2);
  }, 60_000);

  test("ledger: workers are killed three times, and every event is accounted for", async () => {
    const installation = await setUp(kind);
    const { db } = installation;
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const endpoints = 10;
    const secrets = new Map<string, string>();
    for (let index = 0; index < endpoints; index += 1) {
      const { secret } = await installation.addEndpoint(`${receiver.url}/${index}`);
      secrets.set(`/${index}`, secret);
    }
    const workers = [await work(installation), await work(installation)];
    const eventIds: string[] = [];
    let inFlightAtKills = 0;
    for (let round = 0; round < 3; round += 1) {
      for (let commit = 0; commit < 5; commit += 1) eventIds.push(...(await installation.emit(4)));
      await receiver.waitFor(eventIds.length * endpoints - 150, { deadlineMs: 60_000 });
      await workers.shift()?.kill();
      // What it had claimed and not recorded: only these may arrive twice.
      const [row] = await db.query<{ leased: number }>(
        "select count(*) as leased from webhook_delivery where lease_token is not null",
      );
      inFlightAtKills += row?.leased ?? 0;
      workers.push(await work(installation));
    }
    const open = "select 1 from webhook_delivery where status <> 'delivered'";
    await waitFor(async () => (await db.query(open)).length === 0, { deadlineMs: 60_000 });

    const seen = new Map<string, number>();
    for (const { path, body, headers } of receiver.requests) {
      const event = verifyWebhook(body, headers["x-vault-signature"], secrets.get(path) ?? "");
      const key = `${event.id} ${path}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect(eventIds).toHaveLength(60);
    for (const id of eventIds)
      for (const path of secrets.keys()) expect(seen.has(`${id} ${path}`)).toBe(true);
    expect(seen.size).toBe(eventIds.length * endpoints);
    const duplicates = receiver.requests.length - seen.size;
    expect(duplicates).toBeLessThanOrEqual(inFlightAtKills);
    const [log] = await db.query<{ attempts: number }>(
      "select count(*) as attempts from webhook_attempt",
    );
    expect(log?.attempts).toBe(seen.size);
  }, 240_000);
});

test("a worker that is told to stop finishes what is in flight, and ends by itself", async () => {
  const installation = await setUp("postgres");
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await installation.addEndpoint(receiver.url);
  receiver.always({ kind: "hang" });
  const worker = await work(installation);
  await installation.emit(1);
  await receiver.waitFor(1);
  expect(await worker.stop()).toBe(0);
  // Its attempt ended by its own deadline, and was recorded.
  expect(await installation.db.query("select number, error_code from webhook_attempt")).toEqual([
    { number: 1, error_code: "timeout" },
  ]);
});

describe("endpoints apart, with the queue in mongodb", () => {
  testIsolation("mongodb");
});
