import * as z from "zod";
import { condition, gradingInput, identificationShape } from "./card.ts";
import { identifyFailures, identifyProviders } from "./events.ts";
import { cardId } from "./ids.ts";
import { money } from "./money.ts";
import { priceKinds } from "./states.ts";
import { filledText, timestamp, webAddress } from "./text.ts";

/** What a provider, or a person, says that a card is. */
export const identification = z
  .strictObject(identificationShape)
  .meta({ id: "Identification", description: "What a card is. Null where it is not known." });
export type Identification = z.output<typeof identification>;

function given(value: unknown): boolean {
  return value !== undefined;
}

/** The body of `POST /identify`. */
export const identifyInput = z
  .strictObject({
    card_id: cardId.optional(),
    photo_url: webAddress.optional(),
    game: filledText(60).optional().meta({ description: "A hint." }),
    dry_run: z.boolean().optional().meta({ description: "Change nothing and fire nothing." }),
  })
  .refine((body) => given(body.card_id) !== given(body.photo_url), {
    message: "Give exactly one of card_id and photo_url",
    path: ["card_id"],
  })
  .meta({ id: "IdentifyRequest", description: "Exactly one of `card_id` and `photo_url`." });
export type IdentifyRequest = z.output<typeof identifyInput>;

export const confidence = z.number().min(0).max(1);

export const candidate = z
  .strictObject({
    provider: z.enum(identifyProviders),
    confidence,
    identification,
    image_url: webAddress.nullable(),
  })
  .meta({ id: "IdentificationCandidate", description: "What the card may be." });

/** What a provider did, with the word for one that found something and is not sure. */
export const identifyOutcomes = ["match", "low_confidence", ...identifyFailures] as const;
export type IdentifyOutcome = (typeof identifyOutcomes)[number];

const attempt = z
  .strictObject({
    provider: z.enum(identifyProviders),
    outcome: z.enum(identifyOutcomes),
    confidence: confidence.nullable(),
    duration_ms: z.int().min(0),
    error: z.string().nullable().meta({ description: "A code, never a provider's text." }),
  })
  .meta({ id: "IdentificationAttempt", description: "What one provider did." });

/** The answer of `POST /identify`. */
export const identifyAnswer = z
  .strictObject({
    card_id: cardId.nullable(),
    identified: z.boolean().meta({
      description:
        "The identification is sure enough, and was applied where there is a card to apply it to. " +
        "False for a card that was identified or edited meanwhile.",
    }),
    provider: z.enum(identifyProviders).nullable(),
    confidence: confidence.nullable(),
    identification: identification.nullable(),
    candidates: z.array(candidate).max(5),
    attempts: z.array(attempt),
  })
  .meta({ id: "IdentifyAnswer", description: "What identification found and did." });
export type IdentifyAnswer = z.output<typeof identifyAnswer>;

/** The body of `POST /price-lookup`. Condition or grading belong to an identification. */
export const priceLookupInput = z
  .strictObject({
    card_id: cardId.optional(),
    identification: z
      .strictObject(identificationShape)
      .partial()
      .refine((shown) => Object.values(shown).some((value) => value != null), {
        message: "Say something of the card",
      })
      .optional(),
    condition: condition.optional(),
    grading: gradingInput.optional(),
    apply: z.boolean().optional().meta({ description: "Store the suggestion as `market_price`." }),
  })
  .refine((body) => given(body.card_id) !== given(body.identification), {
    message: "Give exactly one of card_id and identification",
    path: ["card_id"],
  })
  .refine((body) => !(given(body.condition) && given(body.grading)), {
    message: "Give at most one of condition and grading",
    path: ["grading"],
  })
  .refine((body) => !given(body.card_id) || !(given(body.condition) || given(body.grading)), {
    message: "A card has its own condition or grading",
    path: ["card_id"],
  })
  .refine((body) => body.apply !== true || given(body.card_id), {
    message: "A suggestion can be stored only on a card",
    path: ["apply"],
  })
  .meta({ id: "PriceLookupRequest", description: "Exactly one of `card_id`, `identification`." });
export type PriceLookupRequest = z.output<typeof priceLookupInput>;

export const priceQuote = z
  .strictObject({
    source: z.string(),
    price: money.nullable().meta({ description: "Null where the source knows too little." }),
    low: money.nullable(),
    high: money.nullable(),
    sample_size: z.int().min(0).nullable(),
    as_of: timestamp,
    kind: z.enum(priceKinds),
  })
  .meta({ id: "PriceQuote", description: "What one source says." });

/** Why a source said nothing. `no_match`: it does not know the card. */
export const sourceFailures = ["no_match", "error", "timeout", "rate_limited"] as const;
export type SourceFailure = (typeof sourceFailures)[number];

/** The answer of `POST /price-lookup`. */
export const priceLookupAnswer = z
  .strictObject({
    quotes: z.array(priceQuote),
    suggestion: money.nullable().meta({
      description: "In the account's currency; null rather than a guess.",
    }),
    failures: z
      .array(z.strictObject({ source: z.string(), error: z.enum(sourceFailures) }))
      .meta({ description: "Sources that said nothing. The others count all the same." }),
  })
  .meta({ id: "PriceLookupAnswer", description: "What the sources say, and a suggestion." });
export type PriceLookupAnswer = z.output<typeof priceLookupAnswer>;
