import { changeAccount } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bulkHandlers } from "../bulk/handler.ts";
import { errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { runToEnd } from "../work/test-run.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

/** SKUs as a creator of many cards asks for them, in a change of its own. */
function block(count: number): Promise<string[]> {
  const { db, clock } = house;
  const { accountId } = dealer.access;
  return changeAccount(db, { accountId, clock, by: dealer.access }, async (unit) => {
    const skus = await unit.counters.nextSkus(Array.from({ length: count }, () => ({})));
    await unit.tx.query(
      `insert into card (id, account_id, sku, status, workflow_status, created_at, updated_at)
       select uuidv7(), $1, n.sku, 'imported', 'imported', $3, $3 from unnest($2::text[]) as n (sku)`,
      [toUuid(accountId), skus, unit.stamp],
    );
    return skus;
  });
}

describe("SKUs in blocks", () => {
  test("two creators at once never get the same, nor one that was given by hand", async () => {
    const byHand = ["00004", "00150", "01999"];
    for (const sku of byHand) await dealer.asOwner.cards.create({ sku });
    const blocks = await Promise.all([block(1_000), block(1_000), block(1), block(500)]);
    const all = [...blocks.flat(), ...byHand];
    expect(new Set(all).size).toBe(2_504);
  });

  test("thousands cost two statements", async () => {
    const { db, clock } = house;
    const { accountId } = dealer.access;
    const statements = await changeAccount(
      db,
      { accountId, clock, by: dealer.access },
      async (unit) => {
        let count = 0;
        const query = unit.tx.query.bind(unit.tx);
        Object.assign(unit.tx, {
          query: (...args: Parameters<typeof query>) => {
            count += 1;
            return query(...args);
          },
        });
        await unit.counters.nextSkus(Array.from({ length: 5_000 }, () => ({})));
        return count;
      },
    );
    expect(statements).toBe(1);
  });

  test("whoever numbered thousands by hand is passed over", async () => {
    const account = toUuid(dealer.access.accountId);
    const [next] = await house.db.query<{ n: number }>(
      "select next_card_number as n from account_clock where account_id = $1",
      [account],
    );
    const first = next?.n ?? 0;
    await house.db.query(
      `insert into card (id, account_id, sku, status, workflow_status, created_at, updated_at)
       select uuidv7(), $1, lpad(n::text, 5, '0'), 'imported', 'imported', now(), now()
       from generate_series($2::int, $2::int + 9999) n`,
      [account, first],
    );
    expect((await dealer.asOwner.cards.create({})).sku).toBe(
      String(first + 10_000).padStart(5, "0"),
    );
  });
});

describe("skus.preview", () => {
  test("shows what the latest cards would get, and invents one for an account without", async () => {
    const { id } = await dealer.asOwner.batches.create({ name: "Harbour", code: "HB" });
    await dealer.asOwner.cards.create({ batch_id: id, title: "Serpent", year: 2024 });
    const preview = await dealer.asOwner.skus.preview({ sku_format: "{batch}.{year}-{n:6}" });
    expect(preview.examples[0]).toEqual({
      sku: `HB.2024-${String(preview.next_number).padStart(6, "0")}`,
      title: "Serpent",
    });
    expect(preview).toMatchObject({ taken: 0, cards_without_sku: 0 });
    const fresh = await house.dealer("Fresh Cards");
    expect(await fresh.asOwner.skus.preview({ sku_format: "{batch}-{n:5}" })).toMatchObject({
      examples: [{ sku: "B47-00001" }],
    });
  });

  test("400 validation_failed that names the format", async () => {
    const error = await errorFrom(dealer.asOwner.skus.preview({ sku_format: "{batch}" }));
    expect(error.details?.[0]?.path).toBe("sku_format");
  });
});

test("skus.assign gives one to every card without, and none to archived ones", async () => {
  const other = await house.dealer("Import Cards");
  const made = [];
  for (let count = 0; count < 5; count += 1) made.push(await other.asOwner.cards.create({}));
  const [first, second] = made;
  for (const { id } of made) await other.asOwner.cards.update({ id, sku: null });
  await other.asOwner.cards.update({ id: first?.id ?? "", workflow_status: "archived" });
  await other.asOwner.cards.update({ id: second?.id ?? "", sku: "BY-HAND" });
  const { id } = await other.asOwner.skus.assign();
  const { db, clock } = house;
  const handler = new Map(bulkHandlers({ db, clock })).get("card.assign_skus");
  if (handler === undefined) throw new Error("No handler for the kind");
  expect(await runToEnd(house, handler, id)).toMatchObject({
    status: "done",
    progress: { changed: 3, failed: 0 },
  });
  const skus = await Promise.all(
    made.map(async (card) => (await other.asOwner.cards.get({ id: card.id })).sku),
  );
  expect(skus).toEqual([null, "BY-HAND", "00006", "00007", "00008"]);
});
