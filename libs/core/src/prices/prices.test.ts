import type { Card } from "@cardvault/contract";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openSandbox } from "../identify/test-sandbox.ts";
import type { Sandbox } from "../identify/test-sandbox.ts";
import { codeFrom } from "../test-house.ts";
import type { Dealer } from "../test-house.ts";

let sandbox: Sandbox;
let dealer: Dealer;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());
let serial = 0;
beforeEach(async () => {
  serial += 1;
  dealer = await sandbox.house.dealer(`Prices ${serial}`, { environment: "test" });
});
afterEach(() => sandbox.clearFaults());

async function identified(): Promise<Card> {
  const card = await sandbox.card(dealer, "applied");
  await dealer.asOwner.identifications.identify({ card_id: card.id });
  return dealer.asOwner.cards.get({ id: card.id });
}
const lookUp = (card: Card, more: object = {}) =>
  dealer.asOwner.prices.lookUp({ card_id: card.id, ...more });
const historyOf = async (card: Card) =>
  (await dealer.asOwner.prices.history({ card_id: card.id })).data;

test("quotes are answered and kept, sales suggest a price, and the card is as it was", async () => {
  const card = await identified();
  const answer = await lookUp(card);
  expect(answer.quotes.map(({ kind }) => kind)).toContain("sold");
  expect(answer.suggestion?.currency).toBe("USD");
  const sold = answer.quotes.find(({ kind }) => kind === "sold");
  expect(answer.suggestion).toEqual(sold?.price);
  expect(await dealer.asOwner.cards.get({ id: card.id })).toEqual(card);
  expect((await historyOf(card)).map(({ quote }) => quote)).toEqual(
    expect.arrayContaining(answer.quotes),
  );
});

test("apply stores the suggestion as market price, never as asking price", async () => {
  const card = await identified();
  const { suggestion, quotes } = await lookUp(card, { apply: true });
  const sold = quotes.find(({ kind }) => kind === "sold");
  expect(await dealer.asOwner.cards.get({ id: card.id })).toMatchObject({
    market_price: { ...suggestion, source: "cardsight", as_of: sold?.as_of },
    asking_price: null,
    workflow_status: "identified",
    version: card.version + 1,
  });
});

test("history has one quote of a source and kind a day", async () => {
  const card = await identified();
  await lookUp(card);
  const first = (await historyOf(card)).length;
  sandbox.house.clock.advance(60_000);
  await lookUp(card);
  expect(await historyOf(card)).toHaveLength(first);
  sandbox.house.clock.advance(86_400_000);
  await lookUp(card);
  expect(await historyOf(card)).toHaveLength(2 * first);
});

test("a source that fails is named and no error; all of them suggest nothing", async () => {
  const card = await identified();
  await sandbox.fault(dealer, "ebay", "unauthorized");
  const some = await lookUp(card);
  expect(some.failures).toEqual([{ source: "ebay_browse", error: "error" }]);
  expect(some.suggestion).not.toBeNull();
  await sandbox.fault(dealer, "cardsight", "malformed");
  await sandbox.fault(dealer, "pricecharting", "error");
  const none = await lookUp(card, { apply: true });
  expect(none).toMatchObject({ quotes: [], suggestion: null });
  expect(none.failures.map(({ source }) => source).toSorted()).toEqual([
    "cardsight",
    "ebay_browse",
    "pricecharting",
  ]);
  expect((await dealer.asOwner.cards.get({ id: card.id })).market_price).toBeNull();
});

test("where nobody knows sales, a guide suggests", async () => {
  const card = await identified();
  await sandbox.fault(dealer, "cardsight", "unauthorized");
  const { quotes, suggestion } = await lookUp(card, { apply: true });
  expect(suggestion).toEqual(quotes.find(({ kind }) => kind === "guide")?.price);
  expect((await dealer.asOwner.cards.get({ id: card.id })).market_price?.source).toBe(
    "pricecharting",
  );
});

test("a card of which nothing is known has no price, and nobody is asked", async () => {
  const card = await dealer.asOwner.cards.create({});
  sandbox.requests.length = 0;
  expect(await lookUp(card)).toEqual({ quotes: [], suggestion: null, failures: [] });
  expect(sandbox.requests).toEqual([]);
});

test("an identification is looked up as it is given, and nothing is kept", async () => {
  const identification = { title: "Nobody's card", set: "Ember Coast", number: "12/142" };
  const answer = await dealer.asOwner.prices.lookUp({ identification, condition: "near_mint" });
  expect(answer.suggestion).toBeNull();
  const rows = await sandbox.house.db.query("select 1 from price_quote where account_id is null");
  expect(rows).toEqual([]);
});

test("400 for both, neither, or a suggestion to store on nothing", async () => {
  const { lookUp: call } = dealer.asOwner.prices;
  const card = await identified();
  const identification = { title: "A" };
  for (const body of [
    {},
    { card_id: card.id, identification },
    { identification, apply: true },
    { card_id: card.id, condition: "near_mint" as const },
  ]) {
    expect(await codeFrom(call(body))).toBe("validation_failed");
  }
});

test("a budget that is spent stops paid sources only", async () => {
  const card = await identified();
  await sandbox.house.db.query("update account set provider_budget_micros = 0");
  expect((await lookUp(card)).suggestion).not.toBeNull();
  await sandbox.house.db.query("update account set provider_budget_micros = null");
});
