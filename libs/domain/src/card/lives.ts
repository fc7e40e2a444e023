import { VaultError, workflowStatuses } from "@cardvault/contract";
import fc from "fast-check";
import type { DomainEvent } from "../outcome.ts";
import { createCard } from "./create.ts";
import { decideCard } from "./decide.ts";
import type { CardCommand } from "./decide.ts";
import type { CardOutcome } from "./draft.ts";
import {
  batchId,
  cardId,
  edit,
  fieldsOf,
  listingId,
  now,
  otherListingId,
  usd,
} from "./fixtures.ts";
import { identificationOf } from "./state.ts";
import type { CardState } from "./state.ts";

/** Makes a command for the card as it stands, so that most commands are to the point. */
export type CommandMaker = (card: CardState) => CardCommand;

const copies = fc.integer({ min: 1, max: 3 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
const price = fc.integer({ min: 1, max: 3 }).map((dollars) => usd(dollars * 100));
const reason = fc.constantFrom("low_confidence", "ambiguous", "high_value", null);
const listing = fc.constantFrom(listingId, otherListingId);

const patch = fc.record({
  title: maybe(nullable(fc.constantFrom("Serpent", "Harbour", " "))),
  set: maybe(nullable(fc.constantFrom("Storm", "Dawn"))),
  isRookie: maybe(fc.boolean()),
  askingPrice: maybe(nullable(price)),
  condition: maybe(nullable(fc.constantFrom("near_mint" as const, "damaged" as const))),
  grading: maybe(
    nullable(fc.constant({ grader: "PSA", grade: "9", certNumber: null, qualifier: null })),
  ),
  sku: maybe(nullable(fc.constantFrom("A-1", "A-2", "x".repeat(51)))),
  quantity: maybe(fc.integer({ min: 0, max: 4 })),
  tags: maybe(nullable(fc.constantFrom(["binder"], []))),
  workflowStatus: maybe(fc.constantFrom(...workflowStatuses)),
});
const smallPatch = fc.oneof(
  price.map((askingPrice) => ({ askingPrice })),
  fc.constant({ title: "Serpent" }),
  fc.constant({ askingPrice: null }),
  fc.integer({ min: 1, max: 4 }).map((quantity) => ({ quantity })),
);

const commandMaker: fc.Arbitrary<CommandMaker> = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(patch, smallPatch).map((given) => () => edit(given)) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...workflowStatuses)
      .map((to) => () => ({ type: "move" as const, to })),
  },
  fc
    .record({
      confidence: fc.constantFrom(0.5, 0.9),
      isStale: fc.boolean(),
      title: fc.constantFrom("Serpent", ""),
    })
    .map(({ confidence, isStale, title }) => (card: CardState) => ({
      type: "identify_by_provider" as const,
      found: {
        provider: "image_recognition" as const,
        confidence,
        threshold: 0.85,
        fields: { title, set: "Storm" },
        expected: isStale ? fieldsOf({ title: "Stale" }) : identificationOf(card),
        value: card.askingPrice,
        highValueLimit: usd(200),
      },
    })),
  fc.constant(() => ({
    type: "identification_failed" as const,
    failure: {
      photo_url: null,
      attempts: [{ provider: "image_recognition" as const, reason: "no_match" as const }],
    },
  })),
  reason.map((reviewReason) => () => ({
    type: "undo_identification" as const,
    before: { fields: fieldsOf({ set: "Storm" }), reviewReason },
  })),
  fc.constantFrom<CommandMaker>(
    () => ({ type: "reset" }),
    () => ({ type: "attach_listing_photo" }),
    () => ({ type: "attach_listing_photo" }),
    () => ({ type: "remove_listing_photo" }),
    () => ({ type: "archive", freeSku: true }),
    () => ({ type: "accept_review" }),
    () => ({ type: "accept_review", identification: { title: "Chosen" } }),
    () => ({ type: "set_market_price", price: { ...usd(900), source: "guide", asOf: now } }),
    (card) => ({
      type: "change_batch",
      from: card.batchId === null ? null : { id: card.batchId, status: "open" },
      to: card.batchId === null ? { id: batchId, status: "open" } : null,
    }),
  ),
  {
    weight: 2,
    arbitrary: listing.map((id) => () => ({
      type: "listing_publishing" as const,
      listingId: id,
      price: usd(500),
    })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<CommandMaker>(
      (card) => ({ type: "listing_live", listingId: card.openListing?.id ?? listingId }),
      (card) => ({ type: "listing_closed", listingId: card.openListing?.id ?? listingId }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        type: fc.constantFrom(
          "take_order" as const,
          "cancel_order" as const,
          "sell_by_hand" as const,
          "bring_back" as const,
        ),
        quantity: copies,
        listingId: listing,
      })
      .map((command) => () => command),
  },
);

export type Step = { before: CardState; command: CardCommand; outcome: CardOutcome };

/** Leads a card through its life; what is refused must be refused in our words and change nothing. */
export function live(
  fields: object,
  makers: readonly CommandMaker[],
  check: (step: Step) => void,
): DomainEvent[] {
  const made = createCard(
    { id: cardId, sku: "CV-1", batch: null, fields, accountCurrency: "USD" },
    now,
  );
  const events = [...made.events];
  let card = deepFreeze(made.state);
  makers.forEach((maker, index) => {
    const command = maker(card);
    const at = new Date(now.getTime() + index * 1_000);
    let outcome: CardOutcome;
    try {
      outcome = decideCard(card, command, at);
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      return;
    }
    check({ before: card, command, outcome });
    card = deepFreeze(outcome.state);
    events.push(...outcome.events);
  });
  return events;
}

function deepFreeze(card: CardState): CardState {
  for (const member of Object.values(card)) if (typeof member === "object") Object.freeze(member);
  return Object.freeze(card);
}

export const birth = fc.record({ title: maybe(fc.constant("Serpent")), askingPrice: maybe(price) });
export const life = fc.array(commandMaker, { maxLength: 30, size: "max" });
