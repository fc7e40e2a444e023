import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
let clerk: ReturnType<House["caller"]>;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
  clerk = house.caller(await house.member(dealer, "Harbour clerk", "member"));
});
afterAll(() => house.close());

const filter = { workflow_status: ["priced" as const], price_min: 500 };

describe("views", () => {
  test("200: a view comes back as it was saved, and changes member by member", async () => {
    const made = await dealer.asOwner.views.create({
      name: "Dear",
      filter,
      sort: "-asking_price",
      columns: ["title", "asking_price"],
    });
    expect(made).toMatchObject({ filter, sort: "-asking_price", is_shared: false, dropped: [] });
    const changed = await dealer.asOwner.views.update({ id: made.id, name: "Dearer", sort: null });
    expect(changed).toMatchObject({ name: "Dearer", filter, sort: null, columns: made.columns });
    await dealer.asOwner.views.delete({ id: made.id });
    expect((await dealer.asOwner.views.list()).data).toEqual([]);
  });

  test("one's own is seen by nobody else, a shared one by all and changed by its person and owners", async () => {
    const own = await clerk.views.create({ name: "Mine" });
    expect(await codeFrom(dealer.asOwner.views.update({ id: own.id, name: "-" }))).toBe(
      "not_found",
    );
    const shared = await dealer.asOwner.views.create({ name: "Ours", is_shared: true });
    const seen = (await clerk.views.list()).data;
    expect(seen.map(({ name, can_change: can }) => [name, can])).toEqual([
      ["Mine", true],
      ["Ours", false],
    ]);
    for (const call of [
      clerk.views.update({ id: shared.id, is_shared: false }),
      clerk.views.delete({ id: shared.id }),
    ]) {
      expect(await codeFrom(call)).toBe("not_permitted");
    }
    await clerk.views.update({ id: own.id, is_shared: true });
    const taken = await dealer.asOwner.views.update({ id: own.id, is_shared: false });
    expect(taken).toMatchObject({ name: "Mine", is_shared: false });
    expect((await dealer.asOwner.views.list()).data.map(({ name }) => name)).toEqual(["Ours"]);
  });

  test("an old view keeps what is still understood, and says what is not", async () => {
    const { id } = await dealer.asOwner.views.create({ name: "Old", filter });
    await house.db.query(
      `update inventory_view set filter = filter || '{"colour": "red", "game": "not a list"}', sort = 'shelf',
         columns = '{"a": 1}' where name = 'Old'`,
    );
    const old = (await dealer.asOwner.views.list()).data.find((view) => view.id === id);
    expect(old).toMatchObject({ filter, sort: null, columns: [] });
    expect(old?.dropped.toSorted()).toEqual(["colour", "columns", "game", "sort"]);
  });

  test("409 for a name that one has, in any case, and for one view too many", async () => {
    await dealer.asOwner.views.create({ name: "Twice" });
    expect(await codeFrom(dealer.asOwner.views.create({ name: "TWICE" }))).toBe("conflict");
    await clerk.views.create({ name: "Twice" });
    await house.db.query(
      `insert into inventory_view (id, account_id, owner_id, name, created_at, updated_at)
       select uuidv7(), account_id, owner_id, 'View ' || n, now(), now() from inventory_view, generate_series(1, 100) n
       where name = 'Old'`,
    );
    expect(await codeFrom(dealer.asOwner.views.create({ name: "More" }))).toBe("conflict");
  });

  test.each([{ filter: { colour: "red" } }, { sort: "colour" }, { columns: [""] }, { name: " " }])(
    "400 for %j",
    async (wrong) => {
      const input = { name: "Wrong", ...wrong } as { name: string };
      expect(await codeFrom(dealer.asOwner.views.create(input))).toBe("validation_failed");
    },
  );
});
