import { VaultError } from "@cardvault/contract";
import type { BatchStatus, WorkflowStatus } from "@cardvault/contract";
import { makeFactTrue, moveCard, requireNoOpenListing } from "./draft.ts";
import type { CardDraft } from "./draft.ts";
import { resetCard } from "./identification.ts";

/**
 * Moves a card by hand. Naming the present stage is no change. `imported` for an identified card
 * that is not archived is the explicit reset.
 * @throws VaultError `invalid_transition`
 */
export function moveByHand(draft: CardDraft, to: WorkflowStatus): void {
  const { card } = draft;
  if (card.workflowStatus === to) return;
  if (to === "archived") {
    moveCard(draft, to, "archived");
  } else if (
    to === "imported" &&
    card.status === "identified" &&
    card.workflowStatus !== "archived"
  ) {
    resetCard(draft);
  } else {
    moveCard(draft, to, "by_hand");
  }
}

/** Archives a card; undoing an import also frees its SKU. An archived card only frees it. */
export function archiveCard(draft: CardDraft, options: { freeSku?: boolean | undefined }): void {
  moveByHand(draft, "archived");
  if (options.freeSku === true) changeSku(draft, null);
}

/** A listing photo is attached, which may make the card photographed. */
export function attachListingPhoto(draft: CardDraft): void {
  makeFactTrue(draft, (card) => {
    card.listingPhotoCount += 1;
  });
}

/**
 * A listing photo is removed; the last one takes a photographed card back to priced.
 * @throws VaultError `invalid_transition` where there is none.
 */
export function removeListingPhoto(draft: CardDraft): void {
  const { card } = draft;
  if (card.listingPhotoCount === 0) {
    throw new VaultError("invalid_transition", { message: "The card has no listing photo." });
  }
  card.listingPhotoCount -= 1;
  if (card.listingPhotoCount === 0 && card.workflowStatus === "photographed") {
    moveCard(draft, "priced", "listing_photos_gone");
  }
}

/**
 * The card has so many listing photos after a change of its photos, one change of several together.
 * The first may make it photographed, with the last gone it goes back to priced.
 */
export function countListingPhotos(draft: CardDraft, count: number): void {
  const { card } = draft;
  if (count > card.listingPhotoCount) {
    makeFactTrue(draft, (after) => {
      after.listingPhotoCount = count;
    });
    return;
  }
  card.listingPhotoCount = count;
  if (count === 0 && card.workflowStatus === "photographed") {
    moveCard(draft, "priced", "listing_photos_gone");
  }
}

/**
 * Changes or clears (null) the SKU, by which the marketplace knows an open listing.
 * @throws VaultError `invalid_transition` while a listing is open.
 */
export function changeSku(draft: CardDraft, sku: string | null): void {
  if (draft.card.sku === sku) return;
  requireNoOpenListing(draft.card, "The SKU cannot be changed");
  draft.card.sku = sku;
}

/** What a change of membership must know of a batch. */
export type BatchMembership = { id: string; status: BatchStatus };

/**
 * Puts the card into a batch, takes it into another, or out of its own (null).
 * @param from the batch that the card is in, if any: a complete one keeps its members.
 * @throws VaultError `batch_complete`
 */
export function changeBatch(
  draft: CardDraft,
  from: BatchMembership | null,
  to: BatchMembership | null,
): void {
  const { card } = draft;
  if (card.batchId !== (from?.id ?? null)) {
    throw new VaultError("conflict", { message: "The card is in another batch by now." });
  }
  if (card.batchId === (to?.id ?? null)) return;
  if (from?.status === "complete" || to?.status === "complete") {
    throw new VaultError("batch_complete");
  }
  card.batchId = to?.id ?? null;
}
