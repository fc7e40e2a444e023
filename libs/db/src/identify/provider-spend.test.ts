import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newAccount } from "../fixtures.ts";
import {
  listProviderUsage,
  openDatabase,
  reserveProviderCall,
  settleProviderCall,
  writeProviderBudget,
  writeProviderCap,
} from "../index.ts";
import type { Database } from "../index.ts";

let testDatabase: TestDatabase;
let db: Database;
let accountId: string;
const at = new Date("2026-03-31T23:59:00Z");
const nextMonth = new Date("2026-04-01T00:00:00Z");

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
});
beforeEach(async () => {
  accountId = await newAccount(db);
});
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

const call = (more: Partial<Parameters<typeof reserveProviderCall>[1]> = {}) => ({
  accountId,
  engine: "google",
  micros: 100,
  at,
  ...more,
});
const usage = () => listProviderUsage(db, accountId, at);
const race = (count: number, cap: number | null, account: string): Promise<boolean[]> =>
  Promise.all(
    Array.from({ length: count }, () => reserveProviderCall(db, call({ accountId: account }), cap)),
  );

test("calls at the same time do not take the same money, and two accounts have each their own", async () => {
  const other = await newAccount(db);
  const [mine, theirs] = await Promise.all([race(20, 750, accountId), race(20, 300, other)]);
  expect(mine.filter(Boolean)).toHaveLength(7);
  expect(theirs.filter(Boolean)).toHaveLength(3);
  expect(await usage()).toEqual([{ engine: "google", calls: 7, failures: 0, costMicros: 700 }]);
});

test("without a cap all calls are counted", async () => {
  expect((await race(20, null, accountId)).every(Boolean)).toBe(true);
  expect(await usage()).toMatchObject([{ calls: 20, costMicros: 2_000 }]);
});

test("what a call has cost takes the place of its reservation; one that died stays counted", async () => {
  expect(await reserveProviderCall(db, call(), 250)).toBe(true);
  await settleProviderCall(db, call(), { isFailure: false, costMicros: 40 });
  expect(await reserveProviderCall(db, call(), 250)).toBe(true);
  await settleProviderCall(db, call(), { isFailure: true, costMicros: 0 });
  expect(await reserveProviderCall(db, call(), 250)).toBe(true);
  expect(await usage()).toMatchObject([{ calls: 3, failures: 1, costMicros: 140 }]);
  expect(await reserveProviderCall(db, call({ micros: 111 }), 250)).toBe(false);
  expect(await reserveProviderCall(db, call({ micros: 110 }), 250)).toBe(true);
  // Settled on another day: it is counted where it was reserved.
  await settleProviderCall(db, call({ micros: 110 }), { isFailure: false, costMicros: 111 });
  expect(await usage()).toMatchObject([{ calls: 4, costMicros: 251 }]);
});

test("a call of unknown cost is not made once the cap is reached", async () => {
  const unknown = call({ micros: 0 });
  expect(await reserveProviderCall(db, unknown, 100)).toBe(true);
  await settleProviderCall(db, unknown, { isFailure: false, costMicros: 100 });
  expect(await reserveProviderCall(db, unknown, 100)).toBe(false);
});

test("a cap is of one provider and one month; an operator's stands above the installation's", async () => {
  expect(await reserveProviderCall(db, call(), 100)).toBe(true);
  expect(await reserveProviderCall(db, call(), 100)).toBe(false);
  expect(await reserveProviderCall(db, call({ engine: "cardsight" }), 100)).toBe(true);
  await writeProviderCap(db, accountId, "google", 200);
  expect(await reserveProviderCall(db, call(), 100)).toBe(true);
  expect(await reserveProviderCall(db, call(), 100)).toBe(false);
  await writeProviderCap(db, accountId, "google", null);
  expect(await reserveProviderCall(db, call(), 100)).toBe(true);
  await writeProviderCap(db, accountId, "google", 0);
  expect(await reserveProviderCall(db, call(), null)).toBe(false);
  await writeProviderCap(db, accountId, "google", "default");
  expect(await reserveProviderCall(db, call(), null)).toBe(true);
  expect(await reserveProviderCall(db, call({ at: nextMonth }), 100)).toBe(true);
});

test("the account's own budget is of all providers together", async () => {
  await writeProviderBudget(db, accountId, 150);
  expect(await reserveProviderCall(db, call(), 10_000)).toBe(true);
  expect(await reserveProviderCall(db, call({ engine: "cardsight" }), null)).toBe(false);
  expect(await reserveProviderCall(db, call({ micros: 50 }), null)).toBe(true);
});
