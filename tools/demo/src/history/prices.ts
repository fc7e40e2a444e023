import type { Engines, PricedThing } from "@cardvault/core";
import { writePriceQuotes } from "@cardvault/db";
import type { PriceQuote } from "@cardvault/domain";
import type { DemoCard } from "../inventory.ts";
import type { WrittenCard } from "../write-inventory.ts";
import { inThePast } from "./date-back.ts";
import { dayMs, keyOf, minuteMs, someOf } from "./shop.ts";
import type { Shop } from "./shop.ts";

const weeks = 7;
const pricedCards = 60;
/** What the sources would have cost, in millionths of a US dollar. */
const callMicros = 1_500;

/** What a card is worth: what it is asked for, or what its rarity makes likely. */
function worthOf(card: DemoCard): number {
  return card.askingPriceCents ?? Math.round(card.purchasePriceCents * 2.1);
}

/** What the sources said of a card so many weeks ago: what is asked for it, a little below, and moving. */
function quotesOf(card: DemoCard, weeksAgo: number, now: Date): PriceQuote[] {
  const swing = Math.sin(card.face.seed + weeksAgo * 0.9) * 0.05;
  const trend = 1 - weeksAgo * ((card.face.seed % 9) - 3) * 0.006;
  const cents = Math.max(10, Math.round(worthOf(card) * 0.94 * (trend + swing)));
  const money = (amount: number) => ({ amount: Math.round(amount), currency: "USD" });
  const asOf = new Date(now.getTime() - weeksAgo * 7 * dayMs);
  return [
    {
      source: "cardsight",
      kind: "sold",
      price: money(cents),
      low: money(cents * 0.86),
      high: money(cents * 1.17),
      sampleSize: 6 + (card.face.seed % 23),
      asOf,
    },
    {
      source: "pricecharting",
      kind: "guide",
      price: money(cents * 1.06),
      low: null,
      high: null,
      sampleSize: null,
      asOf,
    },
  ];
}

/** Price sources that know the shop's own cards, for while its past is written. */
export function priceEngines(cards: readonly DemoCard[], now: () => Date): Pick<Engines, "prices"> {
  const known = new Map(
    cards.map((card) => [keyOf({ title: card.subject, number: card.number }), card]),
  );
  const engine = (name: string): Engines["prices"][number] => ({
    name,
    isPaid: true,
    callMicros,
    quote: (thing: PricedThing) => {
      const card = known.get(keyOf(thing.fields));
      const quotes = card === undefined ? [] : quotesOf(card, 0, now());
      return Promise.resolve({
        quotes: quotes.filter(({ source }) => source === name),
        costMicros: callMicros,
      });
    },
  });
  return { prices: [engine("cardsight"), engine("pricecharting")] };
}

/**
 * What the sources said over weeks of the cards that are worth asking for, and the latest as their market
 * price.
 */
export async function writePrices(shop: Shop): Promise<void> {
  const { owner, random, now } = shop;
  const asked = [...shop.cards]
    .filter(({ card }) => card.askingPriceCents !== null)
    .sort((one, other) => worthOf(other.card) - worthOf(one.card))
    .slice(0, pricedCards * 2);
  const some = someOf(random, asked, pricedCards);
  for (const shopCard of some) await writeWeeks(shop, shopCard);
  await inThePast(shop, async () => {
    const times = new Map<string, Date>();
    for (const { id } of some) {
      await owner.prices.lookUp({ card_id: id, apply: true });
      times.set(id, new Date(now.getTime() - random.between(60, 28 * 60) * minuteMs));
    }
    return times;
  });
}

async function writeWeeks(
  { services: { db }, access: { accountId }, now }: Shop,
  { id: cardId, card, acquiredAt }: WrittenCard,
): Promise<void> {
  for (let weeksAgo = weeks; weeksAgo > 0; weeksAgo -= 1) {
    const at = new Date(now.getTime() - weeksAgo * 7 * dayMs);
    if (at < acquiredAt) continue;
    const quotes = quotesOf(card, weeksAgo, now);
    await writePriceQuotes(db, { accountId, cardId, quotes, now: at });
  }
}
