import type { Card, Money } from "@cardvault/contract";
import type { RankedCandidate } from "@cardvault/domain";
import { suggestPrice } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { askSources } from "../prices/ask-sources.ts";
import { thingOfCard } from "../prices/look-up-prices.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "db" | "clock" | "logger" | "engines">;

/** Shorter than a lookup's: an identification does not wait for what it can do without. */
const patienceMs = 6_000;

/**
 * What a card is worth that is about to be identified, for an account that wants to see valuable ones
 * first. Asked before the change, because afterwards the card would be out of the queue. What a card is
 * said to be worth already, or is asked for, counts too; undefined where the account has no limit.
 */
export async function highValueOf(
  needs: Needs,
  access: Access,
  limitAmount: number | null,
  { card, leader }: { card: Card; leader: RankedCandidate },
): Promise<{ value: Money | null; limit: Money } | undefined> {
  if (limitAmount === null) return undefined;
  const { currency } = access;
  const limit = { amount: limitAmount, currency };
  const known = [card.market_price, card.asking_price].flatMap((price) =>
    price !== null && price.currency === currency ? [price.amount] : [],
  );
  const thing = {
    ...thingOfCard(card),
    fields: leader.fields,
    externalIds: { ...leader.externalIds, ...card.external_ids },
  };
  const asked = await askSources(needs, access, thing, patienceMs);
  const suggestion = suggestPrice(asked.quotes, currency, needs.clock.now());
  if (suggestion !== null) known.push(suggestion.price.amount);
  return { value: known.length === 0 ? null : { amount: Math.max(...known), currency }, limit };
}
