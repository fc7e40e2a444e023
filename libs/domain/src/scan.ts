import type { ScanOutcome, WorkflowStatus } from "@cardvault/contract";

/** A card that a scanned text names: by its SKU, its id or its certificate number. */
export type ScannedCard = {
  id: string;
  workflowStatus: WorkflowStatus;
  location: string | null;
};

/** What a scan of a card at a place comes to. */
export type ScanDecision = { outcome: ScanOutcome; card: ScannedCard | null };

/**
 * Which card is meant, and whether it moves. Of several the only one that is there, neither sold nor
 * archived, is meant: the number of a sold slab stands on its label still.
 * @param place where the cards are being put
 */
export function decideScan(found: readonly ScannedCard[], place: string): ScanDecision {
  if (found.length === 0) return { outcome: "unknown", card: null };
  const card = theOne(found);
  if (card === undefined) return { outcome: "ambiguous", card: null };
  if (card.workflowStatus === "sold") return { outcome: "sold", card };
  if (card.workflowStatus === "archived") return { outcome: "archived", card };
  return { outcome: card.location === place ? "already_here" : "moved", card };
}

function theOne(found: readonly ScannedCard[]): ScannedCard | undefined {
  const there = found.filter(
    ({ workflowStatus }) => workflowStatus !== "sold" && workflowStatus !== "archived",
  );
  const meant = there.length > 0 ? there : found;
  return meant.length === 1 ? meant[0] : undefined;
}
