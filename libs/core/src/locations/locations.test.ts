import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bulkHandlers } from "../bulk/handler.ts";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { runToEnd } from "../work/test-run.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

const usd = (amount: number) => ({ amount, currency: "USD" });
const locations = () => dealer.asOwner.locations;
const cardAt = (location: string | null, rest = {}) =>
  dealer.asOwner.cards.create({ title: "Serpent", location, ...rest });

async function rename(from: string, to: string, within_too = true) {
  const { id } = await locations().rename({ from, to, within_too });
  const { db, clock } = house;
  const handler = new Map(bulkHandlers({ db, clock })).get("location.rename");
  if (handler === undefined) throw new Error("No handler for the kind");
  return runToEnd(house, handler, id);
}

/** The sums that the database keeps are those that counting gives. */
async function expectTrueSums() {
  const counted = await house.db.query(
    `select account_id, location, count(*) as cards,
       count(*) filter (where workflow_status not in ('sold', 'archived')) as present,
       coalesce(sum(quantity) filter (where workflow_status not in ('sold', 'archived')), 0) as copies,
       coalesce(sum(quantity * asking_price) filter (where workflow_status not in ('sold', 'archived')), 0) as asking,
       coalesce(sum(quantity * purchase_price) filter (where workflow_status not in ('sold', 'archived')), 0) as cost
     from card where location is not null group by 1, 2 order by account_id, location collate "C"`,
  );
  const kept = await house.db.query("select * from location_total where cards > 0 order by 1, 2");
  expect(kept).toEqual(counted);
}

describe("the tree", () => {
  test("adds up what lies within, level by level, in the order of people", async () => {
    await cardAt("Vault/A-10/1", { quantity: 3, asking_price: usd(100), purchase_price: usd(40) });
    await cardAt("Vault/A-2", { asking_price: usd(500) });
    await cardAt("Vault");
    await cardAt(null);
    const sold = await cardAt("Vault/A-2");
    await dealer.asOwner.cards.recordSale({ id: sold.id, price: usd(1), place: "Show" });
    await locations().places.save({ path: "Vault/B", code: "V-B", note: "empty", capacity: 100 });

    const top = await locations().tree({});
    expect(top).toMatchObject({ separator: "/", has_more: false, without_location: 1 });
    expect(top.nodes).toMatchObject([
      { path: "Vault", own_cards: 1, has_children: true, cards: 4, present: 3, copies: 5 },
    ]);
    const { nodes, totals, without_location } = await locations().tree({ under: "Vault" });
    expect(nodes.map(({ name }) => name)).toEqual(["A-2", "A-10", "B"]);
    expect(nodes[1]).toMatchObject({
      path: "Vault/A-10",
      own_cards: 0,
      asking_value: usd(300),
      cost: usd(120),
    });
    expect(nodes[2]).toMatchObject({ cards: 0, place: { code: "V-B", capacity: 100 } });
    expect(totals).toMatchObject({ cards: 3, present: 2, asking_value: usd(800) });
    expect(without_location).toBeNull();
    expect(await locations().tree({ under: "Vault", limit: 1 })).toMatchObject({
      has_more: true,
      totals: { cards: 3 },
    });
    await expectTrueSums();
  });

  test("is read by the account's own separator", async () => {
    const other = await house.dealer("Dash Cards");
    await other.asOwner.cards.create({ location: "A-03-12" });
    await other.asOwner.accounts.settings.update({ location_separator: "-" });
    const { nodes } = await other.asOwner.locations.tree({ under: "A" });
    expect(nodes).toMatchObject([{ path: "A-03", name: "03", has_children: true }]);
  });

  test("its sums follow every change, and an empty place goes", async () => {
    const { id } = await cardAt("Gone/1", { asking_price: usd(7) });
    await dealer.asOwner.cards.update({ id, quantity: 4, purchase_price: usd(2) });
    await expectTrueSums();
    await dealer.asOwner.cards.update({ id, location: "Kept/1" });
    await dealer.asOwner.cards.update({ id, workflow_status: "archived" });
    await expectTrueSums();
    expect((await locations().tree({ under: "Gone" })).nodes).toEqual([]);
    const rows = await house.db.query("select 1 from location_total where location = 'Gone/1'");
    expect(rows).toEqual([]);
  });
});

test("suggestions: what begins so, the fullest first, then what is like it", async () => {
  await cardAt("Shelf North");
  await cardAt("Shelf South");
  await cardAt("Shelf South");
  const paths = async (text: string) =>
    (await locations().suggest({ text })).data.map(({ path }) => path);
  expect(await paths("Shelf")).toEqual(["Shelf South", "Shelf North"]);
  expect((await paths("shelf sout"))[0]).toBe("Shelf South");
  expect((await paths("Shlef South"))[0]).toBe("Shelf South");
  expect(await paths("100%_")).toEqual([]);
  await cardAt("Bag 1");
  await cardAt("Attic/Bag 2");
  expect(await paths("shlf")).toEqual(["Shelf South", "Shelf North"]);
  expect(await paths("shlf nor")).toEqual(["Shelf North"]);
  expect(await paths("bpg")).toEqual(["Attic/Bag 2", "Bag 1"]);
  expect(await paths("bpg 2")).toContain("Attic/Bag 2");
  expect(await paths("zzz")).toEqual([]);
});

describe("locations.places.save", () => {
  const nothing = { code: null, note: null, capacity: null };

  test("412 precondition_failed where a member is not what was read of it, and nothing is changed", async () => {
    const path = "Cellar/1";
    const read = { code: "CE-1", note: "dry", capacity: 40 };
    await locations().places.save({ path, ...read, expected: null });
    await locations().places.save({ path, ...read, note: "damp", expected: read });
    const late = locations().places.save({ path, ...read, capacity: 50, expected: read });
    expect(await codeFrom(late)).toBe("precondition_failed");
    const again = locations().places.save({ path, ...nothing, expected: null });
    expect(await codeFrom(again)).toBe("precondition_failed");
    const { data } = await locations().places.list({});
    expect(data.find((known) => known.path === path)).toMatchObject({ ...read, note: "damp" });
  });

  test("of two who describe a place for the first time one is told", async () => {
    const ends = await Promise.allSettled(
      ["one", "other"].map((note) =>
        locations().places.save({ path: "Cellar/2", ...nothing, note, expected: null }),
      ),
    );
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("locations.rename", () => {
  test("moves a place with what lies within, its codes too, and can be undone", async () => {
    const cards = [await cardAt("Old"), await cardAt("Old/1"), await cardAt("Older")];
    await locations().places.save({ path: "Old/1", code: "O-1" });
    const job = await rename("Old", "Old/Cellar");
    expect(job).toMatchObject({ status: "done", progress: { changed: 2 } });
    const at = () =>
      Promise.all(cards.map(async ({ id }) => (await dealer.asOwner.cards.get({ id })).location));
    expect(await at()).toEqual(["Old/Cellar", "Old/Cellar/1", "Older"]);
    expect(await dealer.asOwner.scans.find({ text: "O-1" })).toMatchObject({
      place: "Old/Cellar/1",
    });
    await expectTrueSums();
  });

  test("merges into one that exists, which keeps what is known of it", async () => {
    await cardAt("Box 1");
    await cardAt("Box 2");
    await locations().places.save({ path: "Box 1", code: "BX1", note: "old", capacity: 5 });
    await locations().places.save({ path: "Box 2", code: "BX2" });
    await rename("Box 1", "Box 2");
    const { nodes } = await locations().tree({});
    expect(nodes.find(({ path }) => path === "Box 2")).toMatchObject({
      cards: 2,
      place: { code: "BX2", note: "old", capacity: 5 },
    });
    expect(nodes.find(({ path }) => path === "Box 1")).toBeUndefined();
  });

  test("says which cards it refused: a location that would be too long", async () => {
    await cardAt(`Long/${"x".repeat(114)}`);
    await cardAt("Long/1");
    const job = await rename("Long", "Longer still");
    expect(job.progress).toMatchObject({ changed: 1, failed: 1 });
    const { data } = await dealer.asOwner.jobs.items({ id: job.id, remarked: true });
    expect(data).toMatchObject([{ outcome: "failed", code: "validation_failed" }]);
  });

  test("400 for the same name", async () => {
    expect(await codeFrom(locations().rename({ from: "A", to: "A" }))).toBe("validation_failed");
  });
});

describe("known places", () => {
  test("are saved by path, listed with what lies within, and removed without their cards", async () => {
    const { id } = await cardAt("Room/1/2", { quantity: 2 });
    await locations().places.save({ path: "Room/1", capacity: 10 });
    const { data } = await locations().places.list({});
    expect(data.find(({ path }) => path === "Room/1")).toMatchObject({ present: 1, copies: 2 });
    await locations().places.remove({ path: "Room/1" });
    expect(await codeFrom(locations().places.remove({ path: "Room/1" }))).toBe("not_found");
    expect((await dealer.asOwner.cards.get({ id })).location).toBe("Room/1/2");
  });

  test("409 for a code that another place has, 400 for one that no scanner types", async () => {
    await locations().places.save({ path: "P", code: "TAKEN" });
    await locations().places.save({ path: "P", code: "TAKEN", note: "again" });
    expect(await codeFrom(locations().places.save({ path: "Q", code: "TAKEN" }))).toBe("conflict");
    expect(await codeFrom(locations().places.save({ path: "Q", code: "é" }))).toBe(
      "validation_failed",
    );
  });
});
