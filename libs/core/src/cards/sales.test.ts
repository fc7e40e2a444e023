import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

const usd = (amount: number) => ({ amount, currency: "USD" });
const cards = () => dealer.asOwner.cards;
const priced = (quantity = 1) =>
  cards().create({ title: "Serpent", asking_price: usd(900), quantity });
const sale = (id: string) => ({ id, price: usd(700), place: "Harbour show" });

describe("cards.recordSale", () => {
  test("200: the last copy makes the card sold, and the sale is kept", async () => {
    const { id } = await priced();
    const made = await cards().recordSale({ ...sale(id), sold_at: "2026-01-10T10:00:00Z" });
    expect(made).toMatchObject({
      card_id: id,
      quantity: 1,
      price: usd(700),
      place: "Harbour show",
      sold_at: "2026-01-10T10:00:00.000Z",
      voided_at: null,
    });
    expect(await cards().get({ id })).toMatchObject({ quantity: 0, workflow_status: "sold" });
    expect((await cards().sales({ id })).data).toEqual([made]);
  });

  test("200: one of several copies leaves the others; more than there are go to review", async () => {
    const { id } = await priced(3);
    await cards().recordSale(sale(id));
    expect(await cards().get({ id })).toMatchObject({ quantity: 2, workflow_status: "priced" });
    await cards().recordSale({ ...sale(id), quantity: 3 });
    expect(await cards().get({ id })).toMatchObject({
      quantity: 0,
      workflow_status: "sold",
      review_reason: "oversold",
    });
  });

  test("200: a repeated request records one sale", async () => {
    const { id } = await priced(3);
    const request_id = randomUUID();
    const [first, second] = await Promise.all([
      cards().recordSale({ ...sale(id), request_id }),
      cards().recordSale({ ...sale(id), request_id }),
    ]);
    expect(second).toEqual(first);
    expect((await cards().get({ id })).quantity).toBe(2);
    const other = await priced();
    expect(await codeFrom(cards().recordSale({ ...sale(other.id), request_id }))).toBe("conflict");
  });

  test("400 for another currency and a time to come, both at once", async () => {
    const { id } = await priced();
    const wrong = { price: { amount: 1, currency: "EUR" }, sold_at: "2999-01-01T00:00:00Z" };
    const error = await errorFrom(cards().recordSale({ ...sale(id), ...wrong }));
    expect(error.details?.map(({ path }) => path)).toEqual(["price.currency", "sold_at"]);
  });

  test("409 invalid_transition for the last copy while a listing is publishing", async () => {
    const { id, sku } = await priced();
    await house.db.query(
      `insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity, created_at, updated_at)
       select uuidv7(), account_id, id, 'ebay', 'publishing', 'T', 900, 1, now(), now() from card where sku = $1`,
      [sku],
    );
    expect(await codeFrom(cards().recordSale(sale(id)))).toBe("invalid_transition");
    expect((await cards().sales({ id })).data).toEqual([]);
  });
});

describe("cards.voidSale", () => {
  test("200: its copies come back, and the card goes to where its facts stand", async () => {
    const { id } = await priced();
    const made = await cards().recordSale(sale(id));
    const voided = await cards().voidSale({ id: made.id });
    expect(voided).toMatchObject({ id: made.id, voided_at: expect.any(String) });
    expect(await cards().get({ id })).toMatchObject({ quantity: 1, workflow_status: "priced" });
    expect(await codeFrom(cards().voidSale({ id: made.id }))).toBe("invalid_transition");
  });

  test.each(["nonsense", "sale_01kjn2z6g0fgz9pqafd9r83gq3"])("404 for %s", async (id) => {
    expect(await codeFrom(cards().voidSale({ id }))).toBe("not_found");
  });
});
