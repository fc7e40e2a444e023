import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { expect, onTestFinished, test } from "vitest";
import { createInstallation, spawnWorker } from "./fixtures.ts";
import type { Installation, WorkerTimes } from "./fixtures.ts";

/** Longer than any test: what hangs does so until its end. */
const endless: WorkerTimes = { timeoutMs: 300_000, leaseMs: 400_000 };

export async function setUp(
  kind: "mongodb" | "postgres",
  workers: number,
  times?: WorkerTimes,
): Promise<Installation> {
  const installation = await createInstallation(kind);
  onTestFinished(() => installation.remove());
  for (let index = 0; index < workers; index += 1) {
    const worker = await spawnWorker(installation.config, times);
    onTestFinished(() => worker.kill());
  }
  return installation;
}

/** Answers after a while, and knows how many waited at once. */
export async function slowReceiver(afterMs: number): Promise<{ url: string; most: () => number }> {
  let waiting = 0;
  let most = 0;
  const server = createServer((req, res) => {
    req.resume();
    waiting += 1;
    most = Math.max(most, waiting);
    setTimeout(() => {
      waiting -= 1;
      res.writeHead(204).end();
    }, afterMs);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    most: () => most,
  };
}

export const undelivered = "select 1 from webhook_delivery where status in ('pending', 'retrying')";

/** What holds with either queue. */
export function testIsolation(kind: "mongodb" | "postgres"): void {
  test("two workers together have ten attempts of an endpoint in flight, and spend none in vain", async () => {
    const installation = await setUp(kind, 2);
    const { url, most } = await slowReceiver(100);
    await installation.addEndpoint(url);
    for (let commit = 0; commit < 4; commit += 1) await installation.emit(20);
    const { db } = installation;
    await waitFor(async () => (await db.query(undelivered)).length === 0, { deadlineMs: 30_000 });
    expect(most()).toBeGreaterThan(5);
    // Each row of slots is locked while it is changed, so there is no error but a lost holder's.
    expect(most()).toBeLessThanOrEqual(10);
    const [row] = await db.query("select min(attempts), max(attempts) from webhook_delivery");
    expect(row).toEqual({ min: 1, max: 1 });
  }, 60_000);

  test("half of all events go to an endpoint that hangs: the other half arrives while it does", async () => {
    const installation = await setUp(kind, 1, endless);
    const [dead, healthy] = [await startReceiver(), await startReceiver()];
    onTestFinished(() => dead.stop());
    onTestFinished(() => healthy.stop());
    dead.always({ kind: "hang" });
    await installation.addEndpoint(dead.url);
    await installation.addEndpoint(healthy.url);
    for (let commit = 0; commit < 5; commit += 1) await installation.emit(20);
    // Until the dead one has all that it may have.
    await dead.waitFor(10);
    for (let commit = 0; commit < 20; commit += 1) await installation.emit(2);
    await healthy.waitFor(140, { deadlineMs: 60_000 });
    // No attempt of the dead one's has ended, so none of the others waited for that.
    expect(dead.requests).toHaveLength(10);
    const { db } = installation;
    await waitFor(async () => (await db.query("select 1 from webhook_attempt")).length === 140);
    expect(new Set(healthy.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(140);
    const [spent] = await db.query<{ bad: number }>(
      `select count(*) as bad from webhook_delivery d
       where d.attempts <> (select count(*) from webhook_attempt a where a.delivery_id = d.id)`,
    );
    expect(spent?.bad).toBe(0);
  }, 120_000);
}
