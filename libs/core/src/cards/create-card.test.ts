import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, openHouse, tokenOf } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

describe("200", () => {
  test("a blank card is imported, and has a SKU of its own", async () => {
    const [one, other] = await Promise.all([
      dealer.asOwner.cards.create({}),
      dealer.asOwner.cards.create({}),
    ]);
    expect(one).toMatchObject({ status: "imported", workflow_status: "imported", version: 1 });
    expect(one.sku).toMatch(/^\d{5}$/);
    expect(one.sku).not.toBe(other.sku);
  });

  test("a title and a price go the whole way in the same change, at version 1", async () => {
    const card = await dealer.asOwner.cards.create({
      title: "Charged Serpent",
      asking_price: { amount: 1250, currency: "USD" },
    });
    expect(card).toMatchObject({ status: "identified", workflow_status: "priced", version: 1 });
    const events = await house.db.query<{ type: string }>(
      "select type from webhook_event order by id",
    );
    expect(events.map(({ type }) => type)).toEqual([
      "card.identified",
      "card.workflow_status_changed",
      "card.priced",
      "card.workflow_status_changed",
    ]);
  });

  test("the batch gives its code to the SKU and its defaults to the card", async () => {
    const batch = await dealer.asOwner.batches.create({
      name: "Harbour",
      code: "HB",
      defaults: { game: "Runes of Avarra", location: "A-03" },
    });
    const card = await dealer.asOwner.cards.create({ batch_id: batch.id, location: "B-1" });
    expect(card).toMatchObject({ batch_id: batch.id, game: "Runes of Avarra", location: "B-1" });
    expect(card.sku).toMatch(/^HB-\d{5}$/);
    expect((await dealer.asOwner.batches.get({ id: batch.id })).card_count).toBe(1);
  });

  test("external ids are kept as given", async () => {
    const external_ids = { tcgplayer: "12345" };
    expect(await dealer.asOwner.cards.create({ external_ids })).toMatchObject({ external_ids });
  });
});

test("400 validation_failed for another currency than the account's", async () => {
  const call = dealer.asOwner.cards.create({ purchase_price: { amount: 1, currency: "EUR" } });
  expect(await codeFrom(call)).toBe("validation_failed");
});

test("401 sign_in_required for a token: no REST path makes cards", async () => {
  const caller = house.caller(tokenOf(dealer, ["cards:read", "cards:write"]));
  expect(await codeFrom(caller.cards.create({}))).toBe("sign_in_required");
});

test("404 batch_not_found", async () => {
  const call = dealer.asOwner.cards.create({ batch_id: "batch_01kjn2z6g0fgz9pqafd9r83gq3" });
  expect(await codeFrom(call)).toBe("batch_not_found");
});

test("409 batch_complete, and conflict for a SKU that another card has", async () => {
  const batch = await dealer.asOwner.batches.create({ name: "Done" });
  await dealer.asOwner.batches.complete({ id: batch.id });
  expect(await codeFrom(dealer.asOwner.cards.create({ batch_id: batch.id }))).toBe(
    "batch_complete",
  );
  await dealer.asOwner.cards.create({ sku: "TAKEN" });
  expect(await codeFrom(dealer.asOwner.cards.create({ sku: "TAKEN" }))).toBe("conflict");
});
