import { comparableName, comparableNumber } from "@cardvault/catalogue";
import type { CatalogueEntry } from "@cardvault/catalogue";
import type { CatalogueRow } from "@cardvault/db";

/** The list that ships with the service: invented, and seen by test accounts only. */
export const inventedSource = "invented";

/** A card of a list with what it is compared by. */
export function catalogueRow({ sourceId, card }: CatalogueEntry): CatalogueRow {
  const comparedName = comparableName(card.name);
  const comparedSet = comparableName(card.set);
  return {
    sourceId,
    ...card,
    comparedName,
    comparedNumber: comparableNumber(card.number),
    comparedSet,
    words: [comparedName, comparedSet, card.setCode?.toLowerCase() ?? ""].join(" ").trim(),
  };
}
