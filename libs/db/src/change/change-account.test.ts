import { eventTypes, VaultError } from "@cardvault/contract";
import { createCard, decideCard } from "@cardvault/domain";
import type { CardPatch } from "@cardvault/domain";
import { isId, newId, systemClock, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  bySystem,
  changeAccount,
  getBatch,
  getCard,
  insertAccount,
  listCards,
  openDatabase,
} from "../index.ts";
import type { Database } from "../index.ts";
import { addCard, addEndpoint, newAccount, photoUrl } from "../fixtures.ts";

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
});

afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

function edit(accountId: string, cardId: string, patch: CardPatch) {
  return changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
    const before = await unit.cards.get(cardId);
    const { state, events } = decideCard(
      before,
      { type: "edit", patch, accountCurrency: unit.account.currency },
      unit.stamp,
    );
    unit.cards.save(state);
    unit.emit(...events);
    return state;
  });
}

describe("a change", () => {
  test("writes the row, stamps it and raises its version, once", async () => {
    const accountId = await newAccount(db);
    const card = await addCard(db, accountId, { title: "Charged Serpent", tags: ["a"] });
    const state = await edit(accountId, card.id, {
      askingPrice: { amount: 1250, currency: "USD" },
      grading: { grader: "PSA", grade: "9", certNumber: "1", qualifier: null },
    });
    const read = await getCard(db, accountId, card.id, photoUrl);
    expect(read).toMatchObject({
      title: "Charged Serpent",
      status: "identified",
      workflow_status: "priced",
      asking_price: { amount: 1250, currency: "USD" },
      grading: { grader: "PSA", grade: "9", cert_number: "1", qualifier: null },
      version: state.version,
      tags: ["a"],
    });
    expect(read.updated_at > read.created_at).toBe(true);
    expect(read.sku).toMatch(/^0000\d$/);

    await edit(accountId, card.id, { askingPrice: { amount: 1250, currency: "USD" } });
    expect(await getCard(db, accountId, card.id, photoUrl)).toEqual(read);
  });

  test("a state goes through the database unchanged", async () => {
    const accountId = await newAccount(db);
    const card = await addCard(db, accountId, {
      title: "All of it",
      game: "g",
      set: "s",
      year: 1999,
      isRookie: true,
      condition: "near_mint",
      notes: "n",
      tags: ["x", "y"],
      priceFloor: { amount: 3, currency: "USD" },
    });
    const loaded = await changeAccount(
      db,
      { accountId, clock: systemClock, by: bySystem },
      (unit) => unit.cards.get(card.id),
    );
    expect(loaded).toEqual(card);
  });

  test("passes over a SKU that was given by hand, and refuses a second of the same", async () => {
    const accountId = await newAccount(db);
    const first = await addCard(db, accountId, {});
    const second = await addCard(db, accountId, {});
    expect([first.sku, second.sku]).toEqual(["00001", "00002"]);
    await edit(accountId, first.id, { sku: "00003" });
    expect((await addCard(db, accountId, {})).sku).toBe("00004");
    await expect(edit(accountId, first.id, { sku: "00002" })).rejects.toMatchObject({
      code: "conflict",
      message: "Another card has this SKU.",
    });
  });

  test("of an account that is not there is refused", async () => {
    const change = changeAccount(
      db,
      { accountId: newId("acc"), clock: systemClock, by: bySystem },
      async () => 1,
    );
    await expect(change).rejects.toMatchObject({ code: "not_found" });
  });

  test("begins again after a deadlock, a bounded number of times", async () => {
    const accountId = await newAccount(db);
    let tries = 0;
    const raise = (times: number) =>
      changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
        tries += 1;
        if (tries <= times) {
          await unit.tx.query(
            "do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$",
          );
        }
        return tries;
      });
    expect(await raise(2)).toBe(3);
    tries = 0;
    await expect(raise(100)).rejects.toMatchObject({ code: "internal_error" });
    expect(tries).toBe(5);
  });
});

describe("events", () => {
  test("go to exactly the endpoints that are enabled, there and subscribed, in one commit", async () => {
    const accountId = await newAccount(db);
    const other = await newAccount(db);
    const all = await addEndpoint(db, accountId, {});
    const priced = await addEndpoint(db, accountId, { eventTypes: ["card.priced"] });
    await addEndpoint(db, accountId, { eventTypes: ["batch.completed"] });
    await addEndpoint(db, accountId, { enabled: false });
    await addEndpoint(db, accountId, { deletedAt: new Date() });
    await addEndpoint(db, other, {});
    const card = await addCard(db, accountId, { title: "T" });
    const before = new Date();
    await edit(accountId, card.id, { askingPrice: { amount: 5, currency: "USD" } });

    const rows = await db.query<{
      id: string;
      type: string;
      body: string;
      endpoints: string[];
      due: Date[];
      deadlines: Date[];
      subject_id: string;
    }>(
      `select e.id, e.type, e.body, e.subject_id, array_agg(d.endpoint_id order by d.id) as endpoints,
         array_agg(d.next_attempt_at) as due, array_agg(d.deadline_at) as deadlines
       from webhook_event e left join webhook_delivery d on d.event_id = e.id
       where e.account_id = $1 group by e.id order by e.id`,
      [toUuid(accountId)],
    );
    expect(rows.map((row) => row.type)).toEqual([
      "card.identified",
      "card.workflow_status_changed",
      "card.priced",
      "card.workflow_status_changed",
    ]);
    expect(rows.map((row) => row.endpoints.length)).toEqual([1, 1, 2, 1]);
    expect(new Set(rows[2]?.endpoints)).toEqual(new Set([toUuid(all), toUuid(priced)]));
    expect(rows[0]?.endpoints).toEqual([toUuid(all)]);
    for (const row of rows) {
      const envelope = JSON.parse(row.body) as Record<string, unknown>;
      expect(Object.keys(envelope)).toEqual(["id", "event", "created_at", "account_id", "data"]);
      expect(envelope["event"]).toBe(row.type);
      expect(envelope["account_id"]).toBe(accountId);
      expect(toUuid(String(envelope["id"]))).toBe(row.id);
      expect(row.subject_id).toBe(toUuid(card.id));
    }
    const { updated_at } = await getCard(db, accountId, card.id, photoUrl);
    expect(JSON.parse(rows[3]?.body ?? "")).toMatchObject({ created_at: updated_at });
    const due = rows[3]?.due[0] ?? new Date(0);
    expect(due.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect((rows[3]?.deadlines[0]?.getTime() ?? 0) - due.getTime()).toBe(48 * 3_600_000);
    const elsewhere = await db.query("select 1 from webhook_event where account_id = $1", [
      toUuid(other),
    ]);
    expect(elsewhere).toEqual([]);
  });

  test("a change that fails leaves neither row nor event, and wakes nobody", async () => {
    const accountId = await newAccount(db);
    await addEndpoint(db, accountId, {});
    // What is sent, not what is heard: a notification of the test before may still be on its way.
    const notify = vi.spyOn(db, "notify");
    const failing = changeAccount(
      db,
      {
        accountId,
        clock: systemClock,
        by: bySystem,
        recordAnswer: () => Promise.reject(new VaultError("conflict")),
      },
      async (unit) => {
        const created = createCard(
          {
            id: newId("card"),
            sku: "S",
            batch: null,
            fields: { title: "T" },
            accountCurrency: "USD",
          },
          unit.stamp,
        );
        await unit.cards.create(created.state);
        unit.emit(...created.events);
      },
    );
    await expect(failing).rejects.toMatchObject({ code: "conflict" });
    const events = await db.query("select 1 from webhook_event where account_id = $1", [
      toUuid(accountId),
    ]);
    expect(events).toEqual([]);
    const page = await listCards(db, accountId, { limit: 50 }, photoUrl);
    expect(page.data).toEqual([]);
    expect(notify).not.toHaveBeenCalled();
    await addCard(db, accountId, { title: "T" });
    expect(notify).toHaveBeenCalledWith("vault_work");
  });

  test("that do not fit their schema or are too large are refused loudly", async () => {
    const accountId = await newAccount(db);
    const emit = (data: unknown) =>
      changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
        unit.emit({ type: "card.priced", data: data as never });
      });
    await expect(emit({ card_id: "nonsense" })).rejects.toMatchObject({ code: "internal_error" });
    const large = changeAccount(
      db,
      { accountId, clock: systemClock, by: bySystem },
      async (unit) => {
        const attempts = Array.from({ length: 2_000 }, () => ({
          provider: "generative_ai" as const,
          reason: "timeout" as const,
        }));
        unit.emit({ type: "identify.failed", data: { card_id: null, photo_url: null, attempts } });
      },
    );
    await expect(large).rejects.toMatchObject({ code: "internal_error" });
    expect(eventTypes).toContain("identify.failed");
  });
});

describe("rules that the schema carries", () => {
  test("a card has one open listing at most", async () => {
    const accountId = await newAccount(db);
    const card = await addCard(db, accountId, {
      title: "T",
      askingPrice: { amount: 5, currency: "USD" },
    });
    const publish = () =>
      changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
        const id = newId("lst");
        unit.listings.create({
          id,
          cardId: card.id,
          marketplace: "ebay",
          status: "publishing",
          externalListingId: null,
          url: null,
          title: "T",
          description: null,
          categoryId: null,
          format: "fixed_price",
          price: { amount: 5, currency: "USD" },
          quantity: 1,
          quantitySold: 0,
          publishedAt: null,
          endedAt: null,
          endReason: null,
          soldAt: null,
          soldPrice: null,
          orderId: null,
          error: null,
          lastSyncedAt: null,
        });
        unit.cards.save({ ...(await unit.cards.get(card.id)), listingId: id });
        return id;
      });
    const id = await publish();
    expect(isId("lst", id)).toBe(true);
    await expect(publish()).rejects.toMatchObject({ code: "already_listed" });
    const loaded = await changeAccount(
      db,
      { accountId, clock: systemClock, by: bySystem },
      (unit) => unit.cards.get(card.id),
    );
    expect(loaded.openListing).toEqual({ id, status: "publishing" });
    expect(loaded.listingId).toBe(id);
  });

  test("the counts of a batch are those of its cards after any changes", async () => {
    const accountId = await newAccount(db);
    const batchId = newId("batch");
    await changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
      unit.batches.create({
        id: batchId,
        code: await unit.counters.nextBatchCode(),
        name: "Batch",
        status: "open",
        source: null,
        description: null,
        defaults: {
          set: "S",
          game: null,
          condition: null,
          language: null,
          location: null,
          priceFloor: { amount: 1, currency: "USD" },
        },
        costBasis: { amount: 10, currency: "USD" },
        acquiredAt: null,
        completedAt: null,
        cardCount: 0,
        jobCount: 0,
        membershipJobCount: 0,
      });
    });
    const account = toUuid(accountId);
    await db.query(
      `insert into card (id, account_id, batch_id, status, workflow_status, title, created_at, updated_at)
       select uuidv7(), $1, case when n % 3 = 0 then null else $2::uuid end, 'identified',
         (array['identified', 'priced', 'sold'])[1 + n % 3], 'T', now(), now()
       from generate_series(1, 300) n`,
      [account, toUuid(batchId)],
    );
    await db.query(
      `update card set workflow_status = 'archived', batch_id = null
       where account_id = $1 and workflow_status = 'priced' and random() < 0.5`,
      [account],
    );
    await db.query("delete from card where account_id = $1 and random() < 0.3", [account]);
    await db.query("update card set batch_id = $2 where account_id = $1 and random() < 0.4", [
      account,
      toUuid(batchId),
    ]);
    const counted = await db.query(
      `select batch_id, workflow_status, count(*) as cards from card where account_id = $1
       group by 1, 2 order by 1, 2`,
      [account],
    );
    const kept = await db.query(
      `select batch_id, workflow_status, cards from card_count where account_id = $1 and cards <> 0
       order by 1, 2`,
      [account],
    );
    expect(kept).toEqual(counted);
    const batch = await getBatch(db, accountId, batchId);
    const own = counted.filter((row) => (row as { batch_id: string | null }).batch_id !== null);
    expect(batch.card_count).toBe(
      own.reduce<number>((sum, row) => sum + (row as { cards: number }).cards, 0),
    );
    expect(batch).toMatchObject({
      code: "B1",
      defaults: { set: "S", price_floor: { amount: 1, currency: "USD" } },
      cost_basis: { amount: 10, currency: "USD" },
    });
    // The whole account can go, its counts with it.
    await db.query("delete from account where id = $1", [account]);
    expect(await db.query("select 1 from card_count where account_id = $1", [account])).toEqual([]);
    await insertAccount(db, {
      id: accountId,
      name: "again",
      environment: "test",
      currency: "USD",
      liveAccountId: null,
      createdAt: new Date(),
    });
  });
});
