import { VaultError } from "@cardvault/contract";
import type { BatchStatus } from "@cardvault/contract";
import type { BatchDefaults } from "../batch.ts";
import { changeCard } from "./draft.ts";
import type { CardOutcome } from "./draft.ts";
import { editCard } from "./edit.ts";
import type { CardPatch } from "./edit.ts";
import { unknownIdentification } from "./state.ts";
import type { CardState } from "./state.ts";

export type NewCard = {
  /** TypeID, `card_…` */
  id: string;
  /** The one given, else one by the account's format; see `renderSku`. */
  sku: string;
  /** Its defaults are given to the card where `fields` says nothing. */
  batch: { id: string; status: BatchStatus; defaults: Partial<BatchDefaults> } | null;
  fields: Omit<CardPatch, "sku">;
  /** ISO 4217 */
  accountCurrency: string;
};

/**
 * Makes a card, at version 1. It begins as imported; a title identifies it by hand, a price makes
 * it priced, a stage moves it there, each step with its event, as a PATCH of a blank card would.
 * @throws VaultError `batch_complete`, `validation_failed`, `invalid_transition`
 */
export function createCard(command: NewCard, now: Date): CardOutcome {
  const { batch } = command;
  if (batch?.status === "complete") throw new VaultError("batch_complete");
  const blank = blankCard(command.id, batch?.id ?? null);
  const fields = { ...withDefaults(command.fields, batch?.defaults ?? {}), sku: command.sku };
  const { state, events, effects } = changeCard(blank, now, (draft) =>
    editCard(draft, fields, command.accountCurrency),
  );
  return { state, changes: state, changed: true, events, effects };
}

/** A condition by default says nothing of a card that is given a grading. */
function withDefaults(fields: CardPatch, defaults: Partial<BatchDefaults>): CardPatch {
  const { condition, ...others } = defaults;
  const merged: Record<string, unknown> = !fields.grading
    ? { condition, ...others }
    : { ...others };
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

/** Version 0: the first change, which gives the SKU, makes it 1. */
function blankCard(id: string, batchId: string | null): CardState {
  return {
    ...unknownIdentification,
    id,
    batchId,
    sku: null,
    status: "imported",
    workflowStatus: "imported",
    needsReview: false,
    reviewReason: null,
    condition: null,
    grading: null,
    quantity: 1,
    pendingReturnQuantity: 0,
    oversoldQuantity: 0,
    askingPrice: null,
    priceFloor: null,
    purchasePrice: null,
    marketPrice: null,
    location: null,
    externalIds: {},
    notes: null,
    tags: [],
    listingPhotoCount: 0,
    identifiedBy: null,
    identificationConfidence: null,
    identifiedAt: null,
    firstPricedAt: null,
    listingId: null,
    openListing: null,
    version: 0,
  };
}
