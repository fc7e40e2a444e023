import { openDatabase } from "@cardvault/db";
import { createLogger } from "@cardvault/kit";
import { createTestDatabase, freePort } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSandbox } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { readSandboxConfig } from "./settings.ts";
import type { SandboxConfig } from "./settings.ts";

let database: TestDatabase;
let config: SandboxConfig;
let sandbox: Sandbox;
const logger = createLogger({ name: "test", level: "silent" });

beforeAll(async () => {
  database = await createTestDatabase();
  const port = await freePort();
  config = readSandboxConfig({ DATABASE_URL: database.url, SANDBOX_PORT: String(port) });
  sandbox = await startSandbox(config, logger);
});
afterAll(async () => {
  await sandbox.stop();
  await database.drop();
});

const fault = (body: object): Promise<Response> =>
  fetch(`${sandbox.url}/control/faults`, { method: "POST", body: JSON.stringify(body) });
const price = (): Promise<Response> => fetch(`${sandbox.url}/tcgdex/v2/en/cards/EMC-12`);

test("is ready, listens on loopback alone, and has written the invented cards", async () => {
  expect((await fetch(`${sandbox.url}/readyz`)).status).toBe(200);
  expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  const db = await openDatabase({ url: database.url });
  const [row] = await db.query<{ cards: number }>(
    `select count(*)::int as cards from catalogue_card where source = 'invented'`,
  );
  await db.close();
  expect(row?.cards).toBe(871);
});

test("a fault outlives the process, and is used up by as many requests as it was given", async () => {
  expect((await fault({ protocol: "tcgdex", fault: "error", remaining: 2 })).status).toBe(200);
  expect((await price()).status).toBe(500);
  await sandbox.stop();
  sandbox = await startSandbox(config, logger);
  expect((await price()).status).toBe(500);
  expect((await price()).status).toBe(200);
});

test("two requests at once never share a fault", async () => {
  await fault({ protocol: "tcgdex", fault: "error", remaining: 5 });
  const answers = await Promise.all(Array.from({ length: 12 }, price));
  expect(answers.filter(({ status }) => status === 500)).toHaveLength(5);
});

test("refuses a fault that it does not know, and finds nothing under other paths", async () => {
  expect((await fault({ protocol: "tcgdex", fault: "explode" })).status).toBe(400);
  expect((await fault({ protocol: "nobody", fault: "error" })).status).toBe(400);
  expect((await fetch(`${sandbox.url}/nobody/x`)).status).toBe(404);
  expect((await fetch(`${sandbox.url}/control/secrets`)).status).toBe(404);
});

test("gives out a sample photo for each documented outcome", async () => {
  const list = (await (await fetch(`${sandbox.url}/control/photos`)).json()) as {
    photos: { outcome: string }[];
  };
  for (const { outcome } of list.photos) {
    const photo = await fetch(`${sandbox.url}/control/photos/${outcome}.jpg`);
    expect(photo.headers.get("content-type")).toBe("image/jpeg");
    const bytes = Buffer.from(await photo.arrayBuffer());
    expect(bytes.subarray(0, 2).toString("hex")).toBe("ffd8");
  }
});

test("does not start without a database, and says so", () => {
  expect(() => readSandboxConfig({})).toThrow(/DATABASE_URL is required/);
});
