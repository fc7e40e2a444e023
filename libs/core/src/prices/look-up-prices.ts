import { priceLookupAnswer, priceLookupInput } from "@cardvault/contract";
import type { Card, PriceLookupAnswer, PriceLookupRequest } from "@cardvault/contract";
import { changeAccount, getCard, writePriceQuotes } from "@cardvault/db";
import { decideCard, gradingFrom, suggestPrice } from "@cardvault/domain";
import type { PriceQuote, PriceSuggestion } from "@cardvault/domain";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Access, Context } from "../context.ts";
import type { PricedThing } from "../identify/engines.ts";
import { fieldsFrom } from "../identify/field-names.ts";
import { compiled, documented } from "../procedures.ts";
import type { Services } from "../services.ts";
import { askSources } from "./ask-sources.ts";

export type PriceNeeds = Pick<Services, "db" | "clock" | "logger" | "engines" | "photoUrls">;

/**
 * `POST /price-lookup`. What sources say of a card is kept by day, as its price history, whether or not
 * the suggestion is applied.
 * @throws VaultError `card_not_found`
 */
async function lookUpPrices(
  needs: PriceNeeds,
  access: Access,
  request: PriceLookupRequest,
  { recordAnswer }: Pick<Context, "recordAnswer"> = {},
): Promise<PriceLookupAnswer> {
  const { db, clock, photoUrls } = needs;
  const { accountId, currency, actor } = access;
  const { card_id: cardId, apply = false } = request;
  const card =
    cardId === undefined ? undefined : await getCard(db, accountId, cardId, photoUrls.urlOf);
  const thing = card === undefined ? thingOfRequest(request) : thingOfCard(card);
  const asked = await askSources(needs, access, thing);
  const now = clock.now();
  const suggestion = suggestPrice(asked.quotes, currency, now);
  if (cardId !== undefined) {
    await writePriceQuotes(db, { accountId, cardId, quotes: asked.quotes, now });
  }
  const answer = answerOf(asked, suggestion);
  if (cardId !== undefined && apply && suggestion !== null) {
    const by = { actor, via: "provider" } as const;
    await changeAccount(db, { accountId, clock, by }, async (unit) => {
      const before = await unit.cards.get(cardId);
      const outcome = decideCard(before, marketPriceCommand(suggestion), unit.stamp);
      unit.cards.save(outcome.state);
      await writeOutcome(db, unit, access, outcome);
      await recordAnswer?.(unit.tx, answer);
    });
  }
  return answer;
}

/** The suggestion as the card's market price; never as its asking price. */
export function marketPriceCommand({ price, source, asOf }: PriceSuggestion) {
  return {
    type: "set_market_price",
    price: { ...price, source: source.slice(0, 60), asOf },
  } as const;
}

/** What a card is, for a source. */
export function thingOfCard(card: Card): PricedThing {
  const { grading, condition, external_ids: externalIds } = card;
  return { fields: fieldsFrom(card), externalIds, condition, grading: gradingFrom(grading) };
}

function thingOfRequest({ identification, condition, grading }: PriceLookupRequest): PricedThing {
  return {
    fields: fieldsFrom(identification ?? {}),
    externalIds: {},
    condition: condition ?? null,
    grading: gradingFrom(grading ?? null),
  };
}

function answerOf(
  { quotes, failures }: Pick<Awaited<ReturnType<typeof askSources>>, "quotes" | "failures">,
  suggestion: PriceSuggestion | null,
): PriceLookupAnswer {
  return { quotes: quotes.map(quoteAnswer), suggestion: suggestion?.price ?? null, failures };
}

export function quoteAnswer(quote: PriceQuote): PriceLookupAnswer["quotes"][number] {
  const { source, kind, price, low, high, sampleSize, asOf } = quote;
  return { source, price, low, high, sample_size: sampleSize, as_of: asOf.toISOString(), kind };
}

function scopesOfInput(input: unknown): readonly "cards:write"[] {
  const applies =
    typeof input === "object" && input !== null && "apply" in input && input.apply === true;
  return applies ? ["cards:write"] : [];
}

export const lookUpPricesProcedure = documented({
  openapi: {
    method: "POST",
    path: "/price-lookup",
    summary: "Look up what a card is worth",
    description:
      "Asks every price source that the installation has. A source that fails is named and is not an " +
      "error. `apply` stores the suggestion as the card's `market_price`, never as its asking price, and " +
      "needs the scope `cards:write` too.",
    tags: ["Prices"],
  },
  limitClass: "ai",
  scopes: ["prices"],
  scopesOfInput,
  idempotent: true,
  notFoundCode: "card_not_found",
})
  .input(priceLookupInput)
  .output(compiled(priceLookupAnswer))
  .mutation(({ ctx, input }) => lookUpPrices(ctx.services, ctx.access, input, ctx));
