import { VaultError } from "@cardvault/contract";
import type { WorkflowStatus } from "@cardvault/contract";
import { changesBetween, domainEvent } from "../outcome.ts";
import type { DomainEvent, Outcome } from "../outcome.ts";
import { requireRow } from "../table.ts";
import { automaticSteps, cardMoves, factsHold, factStages, lackOf } from "./moves.ts";
import type { FactStage, MoveTrigger } from "./moves.ts";
import type { CardEffect, CardState } from "./state.ts";

/** What a command answers for a card. `version` is among the changes exactly when others are. */
export type CardOutcome = Outcome<CardState> & { effects: CardEffect[] };

/** A card in the middle of a change. The steps of a change write here, in their order. */
export type CardDraft = {
  readonly before: CardState;
  readonly now: Date;
  card: CardState;
  events: DomainEvent[];
  effects: CardEffect[];
};

/** Applies the steps of one change to a card; the given state itself is never written to. */
export function changeCard(
  before: CardState,
  now: Date,
  steps: (draft: CardDraft) => void,
): CardOutcome {
  const draft: CardDraft = { before, now, card: { ...before }, events: [], effects: [] };
  steps(draft);
  return finishChange(draft);
}

/** The version counts changes of the card's own members: the open listing is another row's. */
function finishChange({ before, card, events, effects }: CardDraft): CardOutcome {
  const { openListing, ...own } = changesBetween(before, card);
  if (Object.keys(own).length > 0) card.version = before.version + 1;
  const changes = changesBetween(before, card);
  const changed = Object.keys(changes).length > 0;
  return {
    state: changed ? card : before,
    changes,
    changed,
    events,
    effects: mergedEffects(effects, openListing === null),
  };
}

/** One change asks a listing for one revision, and for none where it withdraws or closed it. */
function mergedEffects(effects: CardEffect[], isClosed: boolean): CardEffect[] {
  if (isClosed) return [];
  const withdrawal = effects.findLast((effect) => effect.type === "withdraw_listing");
  if (withdrawal !== undefined) return [withdrawal];
  const [first, ...others] = effects;
  return first === undefined
    ? []
    : [others.reduce<CardEffect>((all, effect) => ({ ...all, ...effect }), first)];
}

/**
 * Refuses what nobody may do by hand while a listing of the card is publishing or live.
 * @throws VaultError `invalid_transition`
 */
export function requireNoOpenListing(card: CardState, what: string): void {
  if (card.openListing === null) return;
  throw new VaultError("invalid_transition", {
    message: `${what} while a listing of the card is ${card.openListing.status}.`,
  });
}

/**
 * Moves the card to a stage, as a row of the table allows, and fires the event of the move.
 * @throws VaultError `invalid_transition` where no row names the move or its condition fails.
 */
export function moveCard(draft: CardDraft, to: WorkflowStatus, by: MoveTrigger): void {
  const { card } = draft;
  const from = card.workflowStatus;
  const row = requireRow("card", cardMoves, from, to, by);
  if (row.forbiddenWhile === "open") requireNoOpenListing(card, "The stage cannot be changed");
  if (row.forbiddenWhile === "publishing" && card.openListing?.status === "publishing") {
    requireNoOpenListing(card, "The last copy cannot be sold elsewhere");
  }
  if (row.condition === "facts_hold") {
    const lack = isFactStage(to) ? lackOf(card, to) : "No facts lead there.";
    if (lack !== null) {
      throw new VaultError("invalid_transition", { message: `The card cannot be ${to}. ${lack}` });
    }
  }
  if (row.condition === "no_copy_left" && card.quantity > 0) {
    throw new VaultError("invalid_transition", { message: "The card has copies left." });
  }
  card.workflowStatus = to;
  draft.events.push(domainEvent("card.workflow_status_changed", { card_id: card.id, from, to }));
}

/**
 * Makes facts true and then goes as far, one step at a time, as this very change has opened the
 * way: a stage whose facts held before is not entered again, so that a move made by hand stays.
 */
export function makeFactTrue(draft: CardDraft, change: (card: CardState) => void): void {
  const before = { ...draft.card };
  change(draft.card);
  for (const step of automaticSteps) {
    if (draft.card.workflowStatus !== step.from) continue;
    if (factsHold(before, step.to) || !factsHold(draft.card, step.to)) return;
    moveCard(draft, step.to, step.by);
  }
}

function isFactStage(stage: WorkflowStatus): stage is FactStage {
  return (factStages as readonly WorkflowStatus[]).includes(stage);
}

/** Lowers or raises what the open listing offers, or withdraws it where no copy is left. */
export function followQuantity(draft: CardDraft): void {
  const { openListing, quantity } = draft.card;
  if (openListing === null) return;
  const common = {
    listingId: openListing.id,
    afterPublishing: openListing.status === "publishing",
  };
  draft.effects.push(
    quantity === 0
      ? { type: "withdraw_listing", ...common, endReason: "out_of_stock" }
      : { type: "revise_listing", ...common, quantity },
  );
}
