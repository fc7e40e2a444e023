import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createDatabase, databaseExists, isAlive, startPostgres, waitUntil } from "./index.ts";
import type { RunningPostgres } from "./index.ts";

let dataDir = "";
let running: RunningPostgres | undefined;
const said: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "cardvault-launcher-"));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  said.length = 0;
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function start(port?: number): Promise<RunningPostgres> {
  running = await startPostgres({ dataDir, port, logger: (line) => said.push(line) });
  return running;
}

async function scalar(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

test("starts, keeps its data over a stop, and its sign-in", async () => {
  const first = await start();
  const url = await createDatabase(first.url, "kept");
  await scalar(url, "create table t as select 42 as answer");
  await first.stop();
  expect(isAlive(first.processId)).toBe(false);

  const second = await start();
  expect(await databaseExists(second.url, "kept")).toBe(true);
  expect(await scalar(await createDatabase(second.url, "kept"), "select answer from t")).toBe(42);
  expect(await scalar(second.url, "show server_encoding")).toBe("UTF8");
});

test("refuses a wrong password", async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = "wrong";
  await expect(scalar(wrong.href, "select 1")).rejects.toThrow(/password authentication failed/u);
});

test("repairs what a killed server left: nothing that was committed is lost", async () => {
  const killed = await start();
  await scalar(killed.url, "create table committed as select 1 as x");
  process.kill(killed.processId, "SIGKILL");
  await waitUntil(() => !isAlive(killed.processId), 5_000);

  const repaired = await start();
  expect(await scalar(repaired.url, "select x from committed")).toBe(1);
});

test("stops a server that an earlier, killed start left running on the folder", async () => {
  const leftOver = await start();
  const second = await start();
  expect(isAlive(leftOver.processId)).toBe(false);
  expect(second.processId).not.toBe(leftOver.processId);
  expect(said.join("\n")).toContain("still runs from an earlier start");
});

test("says so when its port is taken", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  await expect(start(port)).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
  await new Promise((resolve) => void other.close(resolve));
});
