import type { Card } from "@cardvault/contract";
import { changeAccount } from "@cardvault/db";
import { createCard, decideCard } from "@cardvault/domain";
import type { CardPatch } from "@cardvault/domain";
import { newId } from "@cardvault/kit";
import type { Dealer, House } from "../test-house.ts";

export function usd(amount: number) {
  return { amount, currency: "USD" };
}

/** So many cards in one change, by the rules. Answers their ids, ascending. */
export async function stock(
  house: House,
  { access }: Dealer,
  count: number,
  fieldsOf: (index: number) => Omit<CardPatch, "sku"> & { market?: number | undefined },
): Promise<string[]> {
  const ids: string[] = [];
  const { accountId } = access;
  await changeAccount(house.db, { accountId, clock: house.clock, by: access }, async (unit) => {
    for (let index = 0; index < count; index += 1) {
      const { market, ...fields } = fieldsOf(index);
      const id = newId("card");
      const sku = await unit.counters.nextSku({});
      const accountCurrency = unit.account.currency;
      const made = createCard({ id, sku, batch: null, fields, accountCurrency }, unit.stamp);
      const price =
        market === undefined ? null : { ...usd(market), source: "test", asOf: unit.stamp };
      const priced = decideCard(made.state, { type: "set_market_price", price }, unit.stamp);
      await unit.cards.create({ ...priced.state, version: 1 });
      unit.emit(...made.events);
      ids.push(id);
    }
  });
  return ids.toSorted();
}

export async function cardsOf({ asOwner }: Dealer, ids: readonly string[]): Promise<Card[]> {
  return Promise.all(ids.map((id) => asOwner.cards.get({ id })));
}
