import { createHash } from "node:crypto";
import { systemClock } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  bySystem,
  changeAccount,
  createIdempotencyStore,
  openDatabase,
  sweepIdempotency,
} from "../index.ts";
import type { Database, IdempotencyReservation, IdempotencyStore } from "../index.ts";
import { newAccount } from "../fixtures.ts";

let testDatabase: TestDatabase;
let db: Database;
let store: IdempotencyStore;
let accountId: string;

const start = new Date("2026-03-01T09:00:00Z");
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000);
const hash = (body: string): Buffer => createHash("sha256").update(body).digest();
const answer = { status: 200, headers: { etag: '"2"' }, body: '{"a":1}' };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
  store = createIdempotencyStore(db);
});
beforeEach(async () => {
  accountId = await newAccount(db);
});
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

function request(body = "{}", key = "k") {
  return { accountId, method: "PATCH", path: "/cards/1", key, requestHash: hash(body) };
}

async function reserved(at: Date): Promise<IdempotencyReservation> {
  const outcome = await store.reserve(request(), at);
  if (outcome.kind !== "reserved") throw new Error(outcome.kind);
  return outcome.reservation;
}

test("a repeat gets the first answer, another body is told", async () => {
  const reservation = await reserved(start);
  await changeAccount(
    db,
    {
      accountId,
      clock: systemClock,
      by: bySystem,
      recordAnswer: (tx) => store.recordIn(tx, reservation, answer),
    },
    async () => undefined,
  );
  expect(await store.reserve(request(), after(3_600))).toEqual({ kind: "stored", answer });
  expect(await store.reserve(request("other"), after(1))).toEqual({ kind: "reused" });
  const other = { ...request(), path: "/cards/2" };
  expect(await store.reserve(other, after(1))).toMatchObject({ kind: "reserved" });
});

test("of two at once one holds the key, and the other is told when to come again", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () => store.reserve(request(), start)),
  );
  expect(outcomes.filter((one) => one.kind === "reserved")).toHaveLength(1);
  expect(outcomes.filter((one) => one.kind === "running")).toHaveLength(5);
  expect(await store.reserve(request(), after(50))).toEqual({
    kind: "running",
    retryAfterSeconds: 10,
  });
});

test("past its deadline a key is taken over, and the one that held it changes nothing", async () => {
  const slow = await reserved(start);
  const taken = await reserved(after(60));
  expect(taken.owner).not.toBe(slow.owner);
  const late = changeAccount(
    db,
    {
      accountId,
      clock: systemClock,
      by: bySystem,
      recordAnswer: (tx) => store.recordIn(tx, slow, answer),
    },
    async (unit) => {
      unit.counters.nextCardNumber();
    },
  );
  await expect(late).rejects.toMatchObject({ code: "idempotency_in_progress" });
  const [clock] = await db.query<{ next: number }>(
    "select max(next_card_number) as next from account_clock",
  );
  expect(clock?.next).toBe(1);
  await store.complete(taken, { ...answer, status: 404 });
  expect(await store.reserve(request(), after(61))).toMatchObject({
    kind: "stored",
    answer: { status: 404 },
  });
});

test("a change that fails leaves no answer, and a released key is free", async () => {
  const reservation = await reserved(start);
  const failing = changeAccount(
    db,
    {
      accountId,
      clock: systemClock,
      by: bySystem,
      recordAnswer: (tx) => store.recordIn(tx, reservation, answer),
    },
    async (unit) => {
      unit.emit({ type: "card.priced", data: {} as never });
    },
  );
  await expect(failing).rejects.toMatchObject({ code: "internal_error" });
  expect(await store.reserve(request(), after(1))).toMatchObject({ kind: "running" });
  await store.release(reservation);
  expect(await store.reserve(request(), after(1))).toMatchObject({ kind: "reserved" });
});

test("an answer is kept for 24 hours", async () => {
  await store.complete(await reserved(start), answer);
  const day = 24 * 3_600;
  expect(await store.reserve(request("other"), after(day - 1))).toEqual({ kind: "reused" });
  expect(await sweepIdempotency(db, after(day - 1))).toBe(0);
  expect(await store.reserve(request("other"), after(day))).toMatchObject({ kind: "reserved" });
  expect(await sweepIdempotency(db, after(2 * day))).toBeGreaterThan(0);
  expect(await db.query("select 1 from idempotency_record")).toEqual([]);
});
