import { listProviderOutcomes, openDatabase } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { createLogger } from "@cardvault/kit";
import { createTestDatabase, ManualClock, waitFor } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createProviderHouse } from "./provider-house.ts";

let database: TestDatabase;
let databases: Database[];
const clock = new ManualClock();
const logger = createLogger({ name: "test", level: "silent" });
beforeAll(async () => {
  database = await createTestDatabase();
  databases = await Promise.all([1, 2].map(() => openDatabase({ url: database.url })));
});
beforeEach(() => database.run("delete from provider_turn; delete from provider_outcome"));
afterAll(async () => {
  await Promise.all(databases.map((db) => db.close()));
  await database.drop();
});

const houses = () => databases.map((db) => createProviderHouse({ db, clock, logger }));
// An hour between turns: however slow the machine is, none passes during the test.
const rate = { perMinute: 1 / 60, burst: 3 };

test("two processes together get no more turns than the provider gives", async () => {
  const taken = await Promise.all(
    Array.from({ length: 5 }).flatMap(() =>
      houses().map(({ turns }) => turns.take("scryfall", rate, 0)),
    ),
  );
  expect(taken.filter((wait) => wait === 0)).toHaveLength(3);
  expect(taken.filter((wait) => wait === null)).toHaveLength(7);
});

test("who can wait is told how long, and each longer than the one before", async () => {
  const [house] = houses();
  const waits: (number | null)[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    waits.push((await house?.turns.take("tcgdex", rate, 86_400_000)) ?? null);
  }
  const hours = waits.map((wait) => Math.ceil((wait ?? -1) / 3_600_000));
  expect(hours).toEqual([0, 0, 0, 1, 2]);
});

test("what one process is told to hold, all hold", async () => {
  const [one, other] = houses();
  await one?.turns.hold("google", { perMinute: 60, burst: 10 }, 3_600_000);
  expect(await other?.turns.take("google", { perMinute: 60, burst: 10 }, 5_000)).toBeNull();
  expect(await other?.turns.take("anthropic", rate, 0)).toBe(0);
});

test("outcomes of all processes stand in one row a provider", async () => {
  const [one, other] = houses();
  const call = { provider: "cardsight", durationMs: 400 } as const;
  one?.onOutcome?.({ ...call, code: null });
  await waitFor(async () => (await listProviderOutcomes(databases[0] as Database)).length === 1);
  for (const house of [one, other]) house?.onOutcome?.({ ...call, code: "timeout" });
  await waitFor(async () => {
    const [row] = await listProviderOutcomes(databases[0] as Database);
    return row?.failed === 2;
  });
  expect(await listProviderOutcomes(databases[0] as Database)).toEqual([
    {
      provider: "cardsight",
      succeeded: 1,
      failed: 2,
      consecutiveFailures: 2,
      averageMs: 400,
      lastCode: "timeout",
      lastSucceededAt: clock.now(),
      lastFailedAt: clock.now(),
    },
  ]);
});
