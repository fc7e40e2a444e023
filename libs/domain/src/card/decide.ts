import type { ErrorDetail, EventDataOf, Money, WorkflowStatus } from "@cardvault/contract";
import { acceptReview } from "./accept.ts";
import { changeCard } from "./draft.ts";
import type { CardDraft, CardOutcome } from "./draft.ts";
import { editCard } from "./edit.ts";
import type { CardPatch } from "./edit.ts";
import {
  failIdentification,
  identifyByProvider,
  resetCard,
  undoIdentification,
} from "./identification.ts";
import type {
  IdentificationBefore,
  IdentificationResult,
  ProviderIdentification,
} from "./identification.ts";
import { listingClosed, listingLive, listingPublishing } from "./listing-effects.ts";
import { setMarketPrice } from "./pricing.ts";
import { bringBack, cancelOrder, sellByHand, takeOrder } from "./sales.ts";
import {
  archiveCard,
  attachListingPhoto,
  changeBatch,
  countListingPhotos,
  moveByHand,
  removeListingPhoto,
} from "./stages.ts";
import type { BatchMembership } from "./stages.ts";
import type { CardState, IdentificationPatch, MarketPrice } from "./state.ts";
import { undoChange } from "./undo.ts";
import type { UndoneChange } from "./undo.ts";

/** Everything that can be asked of a card. Quantities are copies, of which there is at least one. */
export type CardCommand =
  | { type: "edit"; patch: CardPatch; accountCurrency: string }
  | { type: "identify_by_provider"; found: ProviderIdentification }
  | {
      type: "identification_failed";
      failure: Pick<EventDataOf<"identify.failed">, "photo_url" | "attempts">;
    }
  | { type: "undo_identification"; before: IdentificationBefore }
  | { type: "reset" }
  | { type: "attach_listing_photo" }
  | { type: "remove_listing_photo" }
  | { type: "count_listing_photos"; count: number }
  | { type: "move"; to: WorkflowStatus }
  | { type: "archive"; freeSku?: boolean | undefined }
  | { type: "accept_review"; identification?: IdentificationPatch | undefined }
  | { type: "set_market_price"; price: MarketPrice | null }
  | { type: "change_batch"; from: BatchMembership | null; to: BatchMembership | null }
  | { type: "undo_change"; change: UndoneChange }
  | {
      type: "listing_publishing";
      listingId: string;
      price?: Money | undefined;
      marketplaceProblems?: readonly ErrorDetail[] | undefined;
    }
  | { type: "listing_live"; listingId: string }
  | { type: "listing_closed"; listingId: string }
  | { type: "take_order"; listingId: string; quantity: number }
  | { type: "cancel_order"; quantity: number }
  | { type: "sell_by_hand"; quantity: number }
  | { type: "bring_back"; quantity: number };

/**
 * The card after a command, what changed, what it fires and what it asks of the marketplace.
 * @throws VaultError `invalid_transition`, `already_listed`, `batch_complete`, `conflict`,
 * `validation_failed`, `card_not_publishable`: then nothing has changed.
 */
export function decideCard(card: CardState, command: CardCommand, now: Date): CardOutcome {
  return changeCard(card, now, (draft) => applyCardCommand(draft, command));
}

/** As `decideCard`, and says what became of the provider's result. */
export function decideIdentification(
  card: CardState,
  found: ProviderIdentification,
  now: Date,
): CardOutcome & { result: IdentificationResult } {
  let result: IdentificationResult = "late";
  const outcome = changeCard(card, now, (draft) => {
    result = identifyByProvider(draft, found);
  });
  return { ...outcome, result };
}

/** One command as steps of a change that may have others. */
export function applyCardCommand(draft: CardDraft, command: CardCommand): void {
  switch (command.type) {
    case "edit":
      return editCard(draft, command.patch, command.accountCurrency);
    case "identify_by_provider":
      identifyByProvider(draft, command.found);
      return;
    case "identification_failed":
      return failIdentification(draft, command.failure);
    case "undo_identification":
      return undoIdentification(draft, command.before);
    case "reset":
      return resetCard(draft);
    case "attach_listing_photo":
      return attachListingPhoto(draft);
    case "remove_listing_photo":
      return removeListingPhoto(draft);
    case "count_listing_photos":
      return countListingPhotos(draft, command.count);
    case "move":
      return moveByHand(draft, command.to);
    case "archive":
      return archiveCard(draft, command);
    case "accept_review":
      return acceptReview(draft, command.identification);
    case "set_market_price":
      return setMarketPrice(draft, command.price);
    case "change_batch":
      return changeBatch(draft, command.from, command.to);
    case "undo_change":
      return undoChange(draft, command.change);
    case "listing_publishing":
      return listingPublishing(draft, command);
    case "listing_live":
      return listingLive(draft, command);
    case "listing_closed":
      return listingClosed(draft, command);
    case "take_order":
      return takeOrder(draft, command);
    case "cancel_order":
      return cancelOrder(draft, command);
    case "sell_by_hand":
      return sellByHand(draft, command);
    case "bring_back":
      return bringBack(draft, command.quantity);
  }
}
