import { openPackedIds, packIds } from "@cardvault/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
const made: string[] = [];
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
  for (const location of ["A-10", "A-2", "B-1"]) {
    const asking_price = { amount: 100, currency: "USD" };
    made.push((await dealer.asOwner.cards.create({ title: "Serpent", location, asking_price })).id);
  }
});
afterAll(() => house.close());

test("a table: the ids once, and rows of its windows, which no later change moves", async () => {
  const { cards } = dealer.asOwner;
  const [ten = "", two = "", one = ""] = made;
  const answer = await cards.ids({ sort: "location" });
  expect([answer.count, answer.next, answer.is_cut, answer.rows]).toEqual([3, null, false, []]);
  const ids = openPackedIds("card", answer.ids);
  expect([ids.at(0), ids.at(1), ids.at(2)]).toEqual([two, ten, one]);
  await cards.update({ id: two, location: "Z-1" });
  const { data } = await cards.rows({ ids: ids.slice(0, 2) });
  expect(data.map(({ id, location }) => [id, location])).toEqual([
    [two, "Z-1"],
    [ten, "A-10"],
  ]);
  expect(data[0]).toMatchObject({
    version: 2,
    batch_code: null,
    photo_count: 0,
    thumbnail_url: null,
  });
});

test("the first ids come with their rows where these are asked for", async () => {
  const { cards } = dealer.asOwner;
  const { ids, rows } = await cards.ids({ sort: "location", rows: 2 });
  expect(rows).toEqual((await cards.rows({ ids: openPackedIds("card", ids).slice(0, 2) })).data);
  expect(rows).toHaveLength(2);
  expect((await cards.ids({ sort: "location", rows: 50 })).rows).toHaveLength(3);
});

test("totals and the dashboard say the same of a whole account", async () => {
  const totals = await dealer.asOwner.cards.totals({});
  expect(totals).toMatchObject({ count: 3, quantity: 3, asking_value: { amount: 300 } });
  const dashboard = await dealer.asOwner.accounts.dashboard({ time_zone: "Europe/Vienna" });
  expect(dashboard).toMatchObject({ counts: totals.counts, asking_value: totals.asking_value });
  expect(dashboard.sales_by_day).toHaveLength(30);
});

test("400 for packed ids that are none, too many of them, and relevance without a search", async () => {
  const { cards } = dealer.asOwner;
  const many = packIds(
    "card",
    Array.from({ length: 201 }, () => made[0] ?? ""),
  );
  for (const ids of ["AAAA", "no base64!", many]) {
    expect(await codeFrom(cards.rows({ ids }))).toBe("validation_failed");
  }
  expect(await codeFrom(cards.ids({ sort: "relevance" }))).toBe("validation_failed");
  expect(await codeFrom(cards.ids({ after: "nonsense" }))).toBe("invalid_cursor");
  // Databases count an offset the other way round, and take any letters with a number for a zone.
  for (const time_zone of ["Middle/Earth", "+05:30", "-08", "FOO5"]) {
    const answer = dealer.asOwner.accounts.dashboard({ time_zone });
    expect(await codeFrom(answer)).toBe("validation_failed");
  }
});
