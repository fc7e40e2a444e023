import { cardMaxima, maxQuantity, VaultError } from "@cardvault/contract";
import type { Condition, Money, WorkflowStatus } from "@cardvault/contract";
import { invalidMember, requireCurrency } from "../money.ts";
import { followQuantity } from "./draft.ts";
import type { CardDraft } from "./draft.ts";
import { identifyByHand } from "./identification.ts";
import { setAskingPrice } from "./pricing.ts";
import { changeSku, moveByHand } from "./stages.ts";
import type { Grading, IdentificationPatch } from "./state.ts";

/** What a PATCH can say. Absent and undefined leave a member as it is, null clears it. */
export type CardPatch = IdentificationPatch & {
  condition?: Condition | null | undefined;
  grading?: Grading | null | undefined;
  askingPrice?: Money | null | undefined;
  priceFloor?: Money | null | undefined;
  purchasePrice?: Money | null | undefined;
  location?: string | null | undefined;
  notes?: string | null | undefined;
  tags?: readonly string[] | null | undefined;
  externalIds?: Readonly<Record<string, string>> | null | undefined;
  sku?: string | null | undefined;
  quantity?: number | undefined;
  workflowStatus?: WorkflowStatus | undefined;
};

/**
 * Applies a PATCH in the contract's order: identification, price, the rest, the stage.
 * @param accountCurrency ISO 4217
 * @throws VaultError `validation_failed`, `invalid_transition`
 */
export function editCard(draft: CardDraft, patch: CardPatch, accountCurrency: string): void {
  requireCurrency(accountCurrency, {
    asking_price: patch.askingPrice,
    price_floor: patch.priceFloor,
    purchase_price: patch.purchasePrice,
  });
  identifyByHand(draft, patch);
  if (patch.askingPrice !== undefined) setAskingPrice(draft, patch.askingPrice);
  editRest(draft, patch);
  if (patch.workflowStatus !== undefined) moveByHand(draft, patch.workflowStatus);
}

function editRest(draft: CardDraft, patch: CardPatch): void {
  const { card } = draft;
  editCondition(draft, patch);
  if (patch.priceFloor !== undefined) card.priceFloor = patch.priceFloor;
  if (patch.purchasePrice !== undefined) card.purchasePrice = patch.purchasePrice;
  if (patch.location !== undefined) card.location = patch.location;
  if (patch.notes !== undefined) card.notes = patch.notes;
  if (patch.tags !== undefined) card.tags = patch.tags ?? [];
  if (patch.externalIds !== undefined) card.externalIds = patch.externalIds ?? {};
  if (patch.sku !== undefined) {
    if (patch.sku !== null && (patch.sku === "" || patch.sku.length > cardMaxima.sku)) {
      throw invalidMember("sku", `Must have 1 to ${cardMaxima.sku} characters`);
    }
    changeSku(draft, patch.sku);
  }
  if (patch.quantity !== undefined) editQuantity(draft, patch.quantity);
}

/** A card is graded or has a condition, never both: giving one clears the other. */
function editCondition({ card }: CardDraft, { condition, grading }: CardPatch): void {
  if (condition && grading) {
    throw invalidMember("grading", "A card has a condition or a grading, never both");
  }
  if (condition !== undefined) {
    card.condition = condition;
    if (condition !== null) card.grading = null;
  }
  if (grading !== undefined) {
    card.grading = grading;
    if (grading !== null) card.condition = null;
  }
}

/**
 * A count made by hand. Only sales bring it to 0, and only returned copies or a voided sale bring
 * a sold card back.
 */
function editQuantity(draft: CardDraft, quantity: number): void {
  const { card } = draft;
  if (card.quantity === quantity) return;
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > maxQuantity) {
    throw invalidMember("quantity", `Must be 1 to ${maxQuantity}`);
  }
  if (card.workflowStatus === "sold") {
    throw new VaultError("invalid_transition", {
      message: "The card is sold: void its sale, or record that copies came back.",
    });
  }
  card.quantity = quantity;
  card.oversoldQuantity = 0;
  followQuantity(draft);
}
