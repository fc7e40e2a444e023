import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMongod, startMongod } from "@cardvault/mongod";
import {
  describeWithMongo,
  freePort,
  mongoUrlForTest,
  startReceiver,
  waitFor,
} from "@cardvault/testkit";
import { createJobs } from "@cardvault/jobs";
import { systemClock } from "@cardvault/kit";
import { MongoClient } from "mongodb";
import { expect, onTestFinished, test } from "vitest";
import { createInstallation, silent } from "./fixtures.ts";
import { startWorker } from "./worker.ts";

async function statusOf(port: number | undefined, path: string): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
}

describeWithMongo("MongoDB that comes and goes", () => {
  test("writes go on while it is away, readiness tells, and events flow when it is back", async () => {
    const program = (await findMongod()) ?? "";
    const dataDir = await mkdtemp(join(tmpdir(), "cardvault-test-mongo-"));
    const port = await freePort();
    const mongodbUrl = `mongodb://127.0.0.1:${port}/away`;
    const installation = await createInstallation({ mongodbUrl });
    const receiver = await startReceiver();
    await installation.addEndpoint(receiver.url);

    // Away from the very start: the worker waits.
    const worker = await startWorker(installation.config, {
      logger: silent,
      allowLoopbackForTestAccounts: true,
    });
    let server: Awaited<ReturnType<typeof startMongod>> | undefined;
    onTestFinished(async () => {
      await worker.stop();
      await server?.stop();
      await receiver.stop();
      await installation.remove();
      await rm(dataDir, { recursive: true, force: true });
    });
    expect(await statusOf(worker.metricsPort, "/livez")).toBe(200);
    expect(await statusOf(worker.metricsPort, "/readyz")).toBe(503);
    await installation.emit(1);

    server = await startMongod({ program, dataDir, port });
    await receiver.waitFor(1);
    expect(await statusOf(worker.metricsPort, "/readyz")).toBe(200);

    await server.stop();
    await installation.emit(3);
    expect(await statusOf(worker.metricsPort, "/readyz")).toBe(503);
    expect(receiver.requests).toHaveLength(1);

    server = await startMongod({ program, dataDir, port });
    await receiver.waitFor(4, { deadlineMs: 15_000 });
    await waitFor(async () => {
      const open = "select 1 from webhook_delivery where status <> 'delivered'";
      return (await installation.db.query(open)).length === 0;
    });
    const metrics = await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`);
    expect(await metrics.text()).toContain('vault_webhook_attempts_total{outcome="delivered"} 4');
    const client = await new MongoClient(mongodbUrl).connect();
    // Done jobs are removed, so the collection does not grow.
    await waitFor(async () => (await client.db().collection("agendaJobs").countDocuments()) === 0, {
      deadlineMs: 20_000,
    });
    await client.close();
  }, 80_000);

  test("a delivery stands in agendaJobs by its id alone, and survives the loss of the collection", async () => {
    const mongodbUrl = await mongoUrlForTest();
    const installation = await createInstallation({ mongodbUrl });
    const { db, config } = installation;
    const receiver = await startReceiver();
    await installation.addEndpoint(receiver.url);
    await installation.emit(1);
    const relay = createJobs({ db, clock: systemClock, logger: silent, store: config.jobStore });
    expect(await relay.relayOnce()).toBe(1);
    await relay.stop();

    const client = await new MongoClient(mongodbUrl).connect();
    const [job, ...others] = await client.db().collection("agendaJobs").find().toArray();
    expect(others).toEqual([]);
    expect(job?.["name"]).toMatch(/^delivery-[0-3]$/u);
    expect(job?.["data"]).toEqual({
      deliveryId: expect.stringMatching(/^dlv_[0-9a-z]{26}$/u) as string,
    });
    await client.db().collection("agendaJobs").drop();

    const worker = await startWorker(config, {
      logger: silent,
      allowLoopbackForTestAccounts: true,
      jobs: { reconcile: { everyMs: 200, enqueuedMs: 100, overdueMs: 0 } },
    });
    onTestFinished(async () => {
      await worker.stop();
      await client.close();
      await receiver.stop();
      await installation.remove();
    });
    await receiver.waitFor(1);
    const indexes = await client.db().collection("agendaJobs").indexes();
    expect(indexes.map(({ name }) => name)).toContain("workUnique");
  });
});
