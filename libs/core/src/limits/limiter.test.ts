import { openDatabase } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Limiter } from "./limiter.ts";
import { windowMs } from "./limiter.ts";
import { createMemoryLimiter } from "./memory-limiter.ts";
import { createPostgresLimiter } from "./postgres-limiter.ts";

const start = Date.parse("2026-03-01T09:00:00.000Z");

let testDatabase: TestDatabase;
let db: Database;
let serial = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
});
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

const stores: [string, () => Limiter, number][] = [
  ["memory", () => createMemoryLimiter(), 300],
  ["postgres", () => createPostgresLimiter({ db, time: "caller" }), 15],
];

describe.each(stores)("the exact window, %s", (_name, create, runs) => {
  function freshKey(): string {
    serial += 1;
    return `key-${serial}`;
  }

  /** How many of `count` requests at one moment get through. */
  async function burst(limiter: Limiter, key: string, atMs: number, count: number, limit = 60) {
    let through = 0;
    for (let i = 0; i < count; i += 1) {
      const taken = await limiter.take({ key, limit, now: new Date(start + atMs) });
      if (taken.allowed) through += 1;
    }
    return through;
  }

  test("what stands in windows is counted without being counted itself", async () => {
    const limiter = create();
    const [busy, quiet] = [freshKey(), freshKey()];
    await burst(limiter, busy, 0, 3);
    await burst(limiter, busy, 30_000, 2);
    const counted = (atMs: number) => limiter.counted([quiet, busy], new Date(start + atMs));
    expect(await counted(30_000)).toEqual([0, 5]);
    expect(await counted(30_000)).toEqual([0, 5]);
    expect(await counted(windowMs)).toEqual([0, 2]);
    await limiter.close();
  });

  test("60 get through and the 61st is told when to come again", async () => {
    const limiter = create();
    const key = freshKey();
    const first = await limiter.take({ key, limit: 60, now: new Date(start + 250) });
    expect(first).toEqual({
      allowed: true,
      limit: 60,
      remaining: 59,
      resetAt: Math.ceil((start + 250 + windowMs) / 1000),
      retryAfterSeconds: 60,
    });
    expect(await burst(limiter, key, 1_000, 59)).toBe(59);
    const refused = await limiter.take({ key, limit: 60, now: new Date(start + 20_000) });
    expect(refused).toEqual({
      allowed: false,
      limit: 60,
      remaining: 0,
      resetAt: Math.ceil((start + 250 + windowMs) / 1000),
      retryAfterSeconds: 41,
    });
    await limiter.close();
  });

  test("a refused request is not counted", async () => {
    const limiter = create();
    const key = freshKey();
    await burst(limiter, key, 0, 60);
    expect(await burst(limiter, key, 59_999, 100)).toBe(0);
    expect(await burst(limiter, key, 60_000, 61)).toBe(60);
    await limiter.close();
  });

  test("119 in the first minute, which a token bucket lets through, do not get through", async () => {
    const limiter = create();
    const key = freshKey();
    let through = await burst(limiter, key, 0, 60);
    for (let second = 1; second < 60; second += 1) {
      through += await burst(limiter, key, second * 1_000, 1);
    }
    expect(through).toBe(60);
    await limiter.close();
  });

  test("120 around the edge of a minute, which a fixed window lets through, do not get through", async () => {
    const limiter = create();
    const key = freshKey();
    expect(await burst(limiter, key, 59_900, 60)).toBe(60);
    expect(await burst(limiter, key, 60_100, 60)).toBe(0);
    expect(await burst(limiter, key, 119_899, 1)).toBe(0);
    expect(await burst(limiter, key, 119_900, 60)).toBe(60);
    await limiter.close();
  });

  test("a lowered limit acts at once, and names the moment that makes room", async () => {
    const limiter = create();
    const key = freshKey();
    await burst(limiter, key, 0, 1);
    await burst(limiter, key, 10_000, 1);
    await burst(limiter, key, 20_000, 1);
    const taken = await limiter.take({ key, limit: 2, now: new Date(start + 30_000) });
    expect(taken).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 40 });
    expect(await burst(limiter, key, 69_999, 1, 2)).toBe(0);
    expect(await burst(limiter, key, 70_000, 1, 2)).toBe(1);
    await limiter.close();
  });

  test("a clock that is set back lets nothing more through", async () => {
    const limiter = create();
    const key = freshKey();
    await burst(limiter, key, 50_000, 60);
    expect(await burst(limiter, key, 0, 5)).toBe(0);
    await limiter.close();
  });

  test("requests at the same moment share one window: no more than the limit of them get through", async () => {
    const limiter = create();
    const key = freshKey();
    const taken = await Promise.all(
      Array.from({ length: 50 }, async () =>
        limiter.take({ key, limit: 20, now: new Date(start) }),
      ),
    );
    expect(taken.filter((one) => one.allowed)).toHaveLength(20);
    await limiter.close();
  });

  test("it agrees with a model that remembers every request", async () => {
    const steps = fc.array(
      fc.record({
        wait: fc.oneof(fc.nat(200), fc.nat(20_000), fc.constantFrom(59_999, 60_000, 60_001)),
        key: fc.constantFrom("a", "b"),
        limit: fc.constantFrom(3, 3, 3, 5),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const limiter = create();
        const prefix = freshKey();
        const counted: { key: string; at: number }[] = [];
        let now = start;
        for (const step of sequence) {
          now += step.wait;
          const inWindow = counted.filter(
            ({ key, at }) => key === step.key && at > now - windowMs && at <= now,
          );
          const allowed = inWindow.length < step.limit;
          if (allowed) {
            const hit = { key: step.key, at: now };
            counted.push(hit);
            inWindow.push(hit);
          }
          const oldest = inWindow[0]?.at ?? now;
          const taken = await limiter.take({
            key: prefix + step.key,
            limit: step.limit,
            now: new Date(now),
          });
          expect(taken).toMatchObject({
            allowed,
            limit: step.limit,
            remaining: Math.max(0, step.limit - inWindow.length),
            resetAt: Math.ceil((oldest + windowMs) / 1000),
          });
          const makesRoom = inWindow[Math.max(0, inWindow.length - step.limit)]?.at ?? now;
          expect(taken.retryAfterSeconds).toBe(
            Math.max(1, Math.ceil((makesRoom + windowMs - now) / 1000)),
          );
        }
        await limiter.close();
      }),
      { numRuns: runs },
    );
  });
});

describe("bounds", () => {
  test("memory: a full table forgets nobody's window, and further keys share a few", () => {
    const limiter = createMemoryLimiter({ maxKeys: 10 });
    const now = new Date(start);
    for (let i = 0; i < 10; i += 1) limiter.take({ key: `key-${i}`, limit: 1, now });
    for (let i = 0; i < 5_000; i += 1) limiter.take({ key: `flood-${i}`, limit: 1, now });
    expect(limiter.size()).toBeLessThanOrEqual(10 + 64);
    expect(limiter.take({ key: "key-0", limit: 1, now })).toMatchObject({ allowed: false });
  });

  test("memory: windows that have passed are swept", () => {
    const limiter = createMemoryLimiter();
    for (let i = 0; i < 1_000; i += 1) {
      limiter.take({ key: `key-${i}`, limit: 5, now: new Date(start) });
    }
    limiter.take({ key: "later", limit: 5, now: new Date(start + 2 * windowMs) });
    expect(limiter.size()).toBe(1);
  });

  test("postgres: rows that have passed are swept, and a full table lets further keys share", async () => {
    await db.query("truncate rate_window");
    const limiter = createPostgresLimiter({ db, time: "caller", maxKeys: 3 });
    const now = new Date(start);
    for (const key of ["a", "b", "c"]) await limiter.take({ key, limit: 1, now });
    await limiter.sweep(now);
    for (let i = 0; i < 200; i += 1) await limiter.take({ key: `flood-${i}`, limit: 1, now });
    const [full] = await db.query<{ count: number }>("select count(*) as count from rate_window");
    expect(Number(full?.count)).toBeLessThanOrEqual(3 + 64);
    await limiter.sweep(new Date(start + windowMs));
    const [swept] = await db.query<{ count: number }>("select count(*) as count from rate_window");
    expect(Number(swept?.count)).toBe(0);
    await limiter.close();
  });

  test("postgres: two processes share a window by the database's own time, whatever theirs is", async () => {
    const one = createPostgresLimiter({ db });
    const other = createPostgresLimiter({ db });
    const key = "shared-by-two";
    const taken = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        (i % 2 === 0 ? one : other).take({
          key,
          limit: 10,
          now: new Date(Date.now() + (i % 2) * 90_000),
        }),
      ),
    );
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10);
    await one.close();
    await other.close();
  });
});
