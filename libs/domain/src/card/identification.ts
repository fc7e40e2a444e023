import { cardMaxima, VaultError } from "@cardvault/contract";
import type {
  EventDataOf,
  IdentifiedBy,
  IdentifyProvider,
  Money,
  ReviewReason,
} from "@cardvault/contract";
import { invalidMember } from "../money.ts";
import { domainEvent, isSame } from "../outcome.ts";
import type { DomainEvent } from "../outcome.ts";
import { makeFactTrue, moveCard } from "./draft.ts";
import type { CardDraft } from "./draft.ts";
import { clearReview, putInReview } from "./review.ts";
import { identificationFieldNames, identificationOf } from "./state.ts";
import type { CardState, Grading, IdentificationFields, IdentificationPatch } from "./state.ts";

/** What a provider found, and what the card said when it was asked. */
export type ProviderIdentification = {
  provider: IdentifyProvider;
  /** 0..1 */
  confidence: number;
  /** 0..1: below it the result goes to review. */
  threshold: number;
  fields: IdentificationPatch;
  /** Ids by which others know the card. They are added to those that it has. */
  externalIds?: Readonly<Record<string, string>> | undefined;
  /** What was read off its slab. A condition or a grading that the card has stays. */
  grading?: Grading | null | undefined;
  /** The card's identification fields when the call began: a person's edit since then wins. */
  expected: IdentificationFields;
  /** Why it is not to be applied although it is confident enough. */
  doubt?: Extract<ReviewReason, "ambiguous" | "unreadable"> | undefined;
  /** What the card is worth, and from where on the account wants to see it first. */
  value?: Money | null | undefined;
  highValueLimit?: Money | null | undefined;
};

/** Late: the card was identified or edited meanwhile, so the result is kept as candidates only. */
export type IdentificationResult = "applied" | "review" | "late";

/** The card's identification before an identification that is undone. */
export type IdentificationBefore = {
  fields: IdentificationFields;
  reviewReason: ReviewReason | null;
};

/**
 * A hand edit of identification fields. A title given to a card that is still imported, also the
 * one it has, identifies it.
 * @throws VaultError `validation_failed` where the title of an identified card is cleared.
 */
export function identifyByHand(draft: CardDraft, patch: IdentificationPatch): void {
  const { card } = draft;
  const { title } = patch;
  const hasTitle = typeof title === "string" && title.trim() !== "";
  if (title !== undefined && !hasTitle && card.status === "identified") {
    throw invalidMember("title", "Cannot be cleared once the card is identified");
  }
  const before = identificationOf(card);
  if (hasTitle && card.status === "imported") {
    identify(draft, patch, "manual", null);
  } else {
    writeFields(card, patch);
  }
  const isAnswered =
    card.status !== draft.before.status ||
    (["title", "set", "number"] as const).some((name) => card[name] !== before[name]);
  if (isAnswered) clearReview(draft, "isClearedByEdit");
}

/** Applies what a provider found, or puts the card in review, or comes too late. */
export function identifyByProvider(
  draft: CardDraft,
  found: ProviderIdentification,
): IdentificationResult {
  const { card } = draft;
  if (card.status === "identified" || !isSame(identificationOf(card), found.expected)) {
    putInReview(draft, "ambiguous");
    return "late";
  }
  const isReadable = typeof found.fields.title === "string" && found.fields.title.trim() !== "";
  const doubt = isReadable ? found.doubt : "unreadable";
  if (doubt !== undefined || found.confidence < found.threshold) {
    putInReview(draft, doubt ?? "low_confidence");
    return "review";
  }
  identify(draft, found.fields, found.provider, found.confidence);
  card.externalIds = addedIds(card.externalIds, found.externalIds ?? {});
  card.grading = gradingAfter(card, found.grading);
  clearReview(draft, "isNotApplied");
  if (isAbove(found.value, found.highValueLimit)) putInReview(draft, "high_value");
  return "applied";
}

/** Both providers failed: the states stay, a card still imported goes to review. */
export function failIdentification(
  draft: CardDraft,
  failure: Pick<EventDataOf<"identify.failed">, "photo_url" | "attempts">,
): void {
  putInReview(draft, "providers_failed");
  draft.events.push(identifyFailed({ card_id: draft.card.id, ...failure }));
}

/** The event for a photo without a card (spec, section 6): nothing is stored but this. */
export function identifyFailed(data: EventDataOf<"identify.failed">): DomainEvent {
  return domainEvent("identify.failed", data);
}

/**
 * Back to imported, in status and stage; fields and price stay as they are.
 * @throws VaultError `invalid_transition` outside identified, priced and photographed, or while a
 * listing is open.
 */
export function resetCard(draft: CardDraft): void {
  const { card } = draft;
  if (card.status !== "identified") {
    throw new VaultError("invalid_transition", { message: "The card is not identified." });
  }
  card.status = "imported";
  card.identifiedBy = null;
  card.identificationConfidence = null;
  card.identifiedAt = null;
  if (card.reviewReason === "high_value") clearReview(draft, "any");
  moveCard(draft, "imported", "reset");
}

/** A reset that also gives the card back the fields and the review that it had before. */
export function undoIdentification(draft: CardDraft, before: IdentificationBefore): void {
  resetCard(draft);
  writeFields(draft.card, before.fields);
  if (before.reviewReason !== null) putInReview(draft, before.reviewReason);
}

function identify(
  draft: CardDraft,
  fields: IdentificationPatch,
  by: IdentifiedBy,
  confidence: number | null,
): void {
  makeFactTrue(draft, (card) => {
    writeFields(card, fields);
    card.status = "identified";
    card.identifiedBy = by;
    card.identificationConfidence = confidence;
    card.identifiedAt = draft.now;
    draft.events.push(
      domainEvent("card.identified", {
        card_id: card.id,
        title: card.title ?? "",
        set: card.set ?? "",
        number: card.number ?? "",
      }),
    );
  });
}

/** A cleared yes-or-no field says no; a blank title is none. */
export function writeFields(card: CardState, patch: IdentificationPatch): void {
  const written: Partial<Record<keyof IdentificationFields, unknown>> = {};
  for (const name of identificationFieldNames) {
    const value = patch[name];
    if (value === undefined) continue;
    const isFlag = name === "isRookie" || name === "isAutograph" || name === "isMemorabilia";
    written[name] = isFlag ? value === true : value;
  }
  if (typeof written.title === "string" && written.title.trim() === "") written.title = null;
  Object.assign(card, written);
}

/** Those that a person gave stay as they are, and count against the most that a card may have. */
function addedIds(
  own: CardState["externalIds"],
  found: Readonly<Record<string, string>>,
): CardState["externalIds"] {
  const more = Object.entries(found).filter(
    ([name, id]) =>
      !Object.hasOwn(own, name) &&
      name.length <= cardMaxima.externalIdName &&
      id !== "" &&
      id.length <= cardMaxima.externalId,
  );
  const room = Math.max(0, cardMaxima.externalIds - Object.keys(own).length);
  return more.length === 0 ? own : { ...own, ...Object.fromEntries(more.slice(0, room)) };
}

/** The grading of a card on whose slab one was read: its own word, or a condition, comes first. */
export function gradingAfter(
  { condition, grading }: Pick<CardState, "condition" | "grading">,
  read: Grading | null | undefined,
): Grading | null {
  return condition === null && grading === null ? (read ?? null) : grading;
}

function isAbove(value: Money | null | undefined, limit: Money | null | undefined): boolean {
  if (!value || !limit) return false;
  return value.currency === limit.currency && value.amount > limit.amount;
}
