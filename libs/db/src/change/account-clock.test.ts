import { cardListQuery } from "@cardvault/contract";
import type { Card } from "@cardvault/contract";
import { createCard, decideCard } from "@cardvault/domain";
import { newId, systemClock, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bySystem, changeAccount, listCards, openDatabase } from "../index.ts";
import type { Database } from "../index.ts";
import { addCard, newAccount, photoUrl } from "../fixtures.ts";

/** How long the writers write. Thirty seconds where a run asks for it. */
const seconds = Number(process.env["UPDATED_SINCE_SECONDS"] ?? 3);

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url, poolSize: 12 });
});

afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

test("of two writers at once, the one with the earlier stamp commits first", async () => {
  const accountId = await newAccount(db);
  const other = await newAccount(db);
  const committed: { name: string; stamp: Date }[] = [];
  /** What each found, whose name is what it leaves. */
  const seen: (string | undefined)[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let holds = (): void => undefined;
  const holding = new Promise<void>((resolve) => {
    holds = resolve;
  });
  const write = (name: string, wait?: Promise<void>) =>
    changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
      const id = toUuid(accountId);
      const [account] = await unit.tx.query<{ name: string }>(
        "select name from account where id = $1",
        [id],
      );
      seen.push(account?.name);
      await unit.tx.query("update account set name = $2 where id = $1", [id, name]);
      holds();
      await wait;
      unit.tx.afterCommit(() => committed.push({ name, stamp: unit.stamp }));
    });
  const first = write("first", held);
  await holding;
  const second = write("second");
  // The second waits for the first, and an account's clock is nobody else's.
  await changeAccount(
    db,
    { accountId: other, clock: systemClock, by: bySystem },
    async () => undefined,
  );
  await vi.waitFor(async () => {
    const waiting = await db.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting).toHaveLength(1);
  });
  expect(committed).toEqual([]);
  release();
  await Promise.all([first, second]);
  // Two connections answer in either order, so the order of the commits is what the second saw of the first.
  expect(seen).toEqual(["Shop", "first"]);
  const stampOf = (name: string) =>
    committed.find((one) => one.name === name)?.stamp.getTime() ?? 0;
  expect(stampOf("first")).toBeGreaterThan(0);
  expect(stampOf("first")).toBeLessThan(stampOf("second"));
});

test("a stamp is never given twice, even when the clock stood back", async () => {
  const accountId = await newAccount(db);
  await db.query("update account_clock set last_change = now() + interval '1 hour'");
  const stamps: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    await changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
      stamps.push(unit.stamp.getTime());
    });
  }
  expect(stamps.slice(1)).toEqual(stamps.slice(0, -1).map((stamp) => stamp + 1));
});

test(
  `eight writers for ${seconds} s: a poller misses no card, and ends with the newest of each`,
  async () => {
    const accountId = await newAccount(db);
    const ids = await Promise.all(
      Array.from({ length: 5 }, () => addCard(db, accountId, { title: "T" })),
    );
    const written = new Map<string, number>();
    const until = Date.now() + seconds * 1_000;
    const writing = { isDone: false };
    let changes = 0;

    const writer = async (number: number): Promise<void> => {
      while (Date.now() < until) {
        const state = await changeAccount(
          db,
          { accountId, clock: systemClock, by: bySystem },
          async (unit) => {
            if (Math.random() < 0.1) {
              const made = createCard(
                {
                  id: newId("card"),
                  sku: await unit.counters.nextSku({}),
                  batch: null,
                  fields: { title: "New" },
                  accountCurrency: "USD",
                },
                unit.stamp,
              );
              return unit.cards.create(made.state);
            }
            const id = ids[Math.floor(Math.random() * ids.length)]?.id ?? "";
            const before = await unit.cards.get(id);
            const patch = { notes: `${number} ${changes}` };
            const { state: after } = decideCard(
              before,
              { type: "edit", patch, accountCurrency: "USD" },
              unit.stamp,
            );
            unit.cards.save(after);
            return after;
          },
        );
        changes += 1;
        written.set(state.id, Math.max(written.get(state.id) ?? 0, state.version));
      }
    };

    const seen = new Map<string, Card>();
    let since = "2026-01-01T00:00:00Z";
    const poll = async (): Promise<void> => {
      let cursor: string | undefined;
      do {
        const query = cardListQuery.parse({ updated_since: since, limit: 7, cursor });
        const page = await listCards(db, accountId, query, photoUrl);
        for (const card of page.data) {
          expect(card.version).toBeGreaterThanOrEqual(seen.get(card.id)?.version ?? 0);
          seen.set(card.id, card);
        }
        cursor = page.next_cursor ?? undefined;
        since = page.next_updated_since ?? since;
      } while (cursor !== undefined);
    };
    const poller = async (): Promise<void> => {
      while (!writing.isDone) await poll();
    };

    const polling = poller();
    await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
    writing.isDone = true;
    await polling;
    await poll();
    expect(changes).toBeGreaterThan(20);
    for (const [id, version] of written) expect(seen.get(id)).toMatchObject({ id, version });
  },
  seconds * 1_000 + 20_000,
);
