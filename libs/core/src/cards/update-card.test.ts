import type { Card } from "@cardvault/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse, tokenOf } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
  await dealer.asOwner.webhooks.endpoints.create({ url: "https://hooks.example.com/vault" });
});
afterAll(() => house.close());

const usd = (amount: number) => ({ amount, currency: "USD" });
const titled = () => dealer.asOwner.cards.create({ title: "Charged Serpent", number: "4/102" });
const update = (card: Pick<Card, "id">, patch: object) =>
  dealer.asOwner.cards.update({ id: card.id, ...patch });

/** What was fired about a card, each with a delivery, in the order of the steps. */
async function firedFor(id: string): Promise<string[]> {
  const rows = await house.db.query<{ body: string; deliveries: number }>(
    `select e.body, count(d.id) as deliveries from webhook_event e
     left join webhook_delivery d on d.event_id = e.id group by e.id order by e.id`,
  );
  const events = rows.map((row) => ({ ...JSON.parse(row.body), deliveries: row.deliveries }));
  expect(events.every(({ deliveries }) => deliveries === 1)).toBe(true);
  return events.filter(({ data }) => data.card_id === id).map(({ event }) => event);
}

describe("200", () => {
  test("a first price moves the card on, and fires card.priced once in its life", async () => {
    const made = await titled();
    const priced = await update(made, { asking_price: usd(1250) });
    expect(priced).toMatchObject({
      asking_price: usd(1250),
      workflow_status: "priced",
      version: 2,
    });
    expect(priced.updated_at > made.updated_at).toBe(true);
    await update(made, { asking_price: null });
    await update(made, { asking_price: usd(900) });
    const fired = await firedFor(made.id);
    expect(fired.filter((event) => event === "card.priced")).toHaveLength(1);
    expect(fired.filter((event) => event === "card.workflow_status_changed")).toHaveLength(4);
  });

  test("the answer is what a later read gives", async () => {
    const made = await titled();
    const answer = await update(made, { location: "A-03", tags: ["binder"], notes: "mint" });
    expect(await dealer.asOwner.cards.get({ id: made.id })).toEqual(answer);
  });

  test("a title given to an imported card identifies it by hand", async () => {
    const made = await dealer.asOwner.cards.create({});
    expect(made).toMatchObject({ status: "imported", workflow_status: "imported" });
    const identified = await update(made, { title: "Charged Serpent" });
    expect(identified).toMatchObject({ status: "identified", identified_by: "manual" });
    expect(await firedFor(made.id)).toEqual(["card.identified", "card.workflow_status_changed"]);
  });

  test("a PATCH that changes nothing keeps version and updated_at, and fires nothing", async () => {
    const made = await update(await titled(), { asking_price: usd(100) });
    const before = await firedFor(made.id);
    expect(await update(made, {})).toEqual(made);
    expect(await update(made, { asking_price: usd(100), title: made.title })).toEqual(made);
    expect(await firedFor(made.id)).toEqual(before);
  });

  test("every member that can be given comes back", async () => {
    const patch = {
      title: "Charged Serpent",
      game: "Runes of Avarra",
      set: "Storm Harbour",
      set_code: "STH",
      number: "12/180",
      year: 2024,
      subject: "Serpent",
      team: "Harbour",
      manufacturer: "Avarra",
      variant: "foil",
      rarity: "rare",
      language: "en",
      print_run: 99,
      serial_number: "12/99",
      is_rookie: true,
      is_autograph: true,
      is_memorabilia: true,
      grading: { grader: "PSA", grade: "9", cert_number: "48213377", qualifier: null },
      asking_price: usd(1250),
      price_floor: usd(900),
      purchase_price: usd(400),
      location: "A-03-12",
      notes: "kept",
      tags: ["binder", "foil"],
      sku: "EVERY-MEMBER",
      quantity: 3,
    };
    expect(await update(await titled(), patch)).toMatchObject(patch);
  });

  test("a token with the scope may, too", async () => {
    const caller = house.caller(tokenOf(dealer, ["cards:write"]));
    const { id } = await titled();
    expect(await caller.cards.update({ id, location: "B-1" })).toMatchObject({ location: "B-1" });
  });

  test("the idempotent answer is recorded in the change's own transaction", async () => {
    const made = await titled();
    const failing = house.caller(dealer.owner, {
      recordAnswer: async (tx, result) => {
        const [row] = await tx.query("select 1 from webhook_event where subject_id is not null");
        expect([row, (result as Card).location]).toEqual([{ "?column?": 1 }, "Z-9"]);
        throw new Error("the answer cannot be recorded");
      },
    });
    expect(await codeFrom(failing.cards.update({ id: made.id, location: "Z-9" }))).toBe(
      "internal_error",
    );
    expect(await dealer.asOwner.cards.get({ id: made.id })).toEqual(made);
  });
});

describe("If-Match", () => {
  const withMatch = (ifMatch: string) => house.caller(dealer.owner, { ifMatch }).cards;

  test.each(['"1"', '"7", "1"', "*"])("200 for %s at version 1", async (ifMatch) => {
    const { id } = await titled();
    expect((await withMatch(ifMatch).update({ id, location: "A" })).version).toBe(2);
  });

  test.each(['"2"', 'W/"1"', "1", '""', "nonsense"])(
    "412 precondition_failed for %s at version 1",
    async (ifMatch) => {
      const made = await titled();
      const call = withMatch(ifMatch).update({ id: made.id, location: "A" });
      expect(await codeFrom(call)).toBe("precondition_failed");
      expect(await dealer.asOwner.cards.get({ id: made.id })).toEqual(made);
    },
  );

  test("of two writers with the same version one is refused", async () => {
    const { id } = await titled();
    const both = await Promise.allSettled(
      ["A", "B"].map((location) => withMatch('"1"').update({ id, location })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("400 validation_failed names what is wrong", () => {
  test.each([
    [{ colour: "red" }, "colour"],
    [{ asking_price: { amount: 12.5, currency: "USD" } }, "asking_price.amount"],
    [{ asking_price: { amount: 1250, currency: "EUR" } }, "asking_price.currency"],
    [{ title: null }, "title"],
    [{ quantity: 0 }, "quantity"],
    [{ condition: "damaged", grading: { grader: "PSA", grade: "9" } }, "grading"],
  ])("%j", async (patch, path) => {
    const made = await titled();
    const error = await errorFrom(update(made, patch));
    expect([error.code, error.details?.[0]?.path]).toEqual(["validation_failed", path]);
    expect(await dealer.asOwner.cards.get({ id: made.id })).toEqual(made);
  });
});

describe("403", () => {
  test("insufficient_scope, before the input is looked at", async () => {
    const caller = house.caller(tokenOf(dealer, ["cards:read"]));
    const { id } = await titled();
    const wrong = { id, quantity: 0 };
    expect(await codeFrom(caller.cards.update(wrong))).toBe("insufficient_scope");
  });

  test("account_suspended for a member, who may look", async () => {
    const { id } = await titled();
    const suspended = house.caller({ ...dealer.owner, isSuspended: true });
    expect(await codeFrom(suspended.cards.update({ id, location: "A" }))).toBe("account_suspended");
    expect((await suspended.cards.get({ id })).id).toBe(id);
  });
});

test.each(["", "nonsense", "card_01kjn2z6g0fgz9pqafd9r83gq3", "CARD_01kjn2z6g0fgz9pqafd9r83gq3"])(
  "404 card_not_found for %j",
  async (id) => {
    const error = await errorFrom(update({ id }, { location: "A" }));
    expect([error.code, error.message]).toEqual([
      "card_not_found",
      "There is no such card in this account.",
    ]);
  },
);

describe("409", () => {
  test("invalid_transition into a stage whose facts do not hold", async () => {
    const made = await titled();
    for (const workflow_status of ["priced", "listed", "sold"]) {
      expect(await codeFrom(update(made, { workflow_status }))).toBe("invalid_transition");
    }
  });

  test("conflict for a SKU that another card has", async () => {
    const [one, other] = [await titled(), await titled()];
    const error = await errorFrom(update(one, { sku: other.sku }));
    expect([error.code, error.message]).toEqual(["conflict", "Another card has this SKU."]);
  });
});
