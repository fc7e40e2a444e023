import type { CatalogueVerdict, IdentifyProvider } from "@cardvault/contract";
import { numberParts } from "./same-card.ts";
import type { KnownFields } from "./same-card.ts";

/** A card of the catalogue, as far as it completes an identification. */
export type CatalogueCard = {
  game: string;
  set: string;
  setCode: string | null;
  setTotal: number | null;
  name: string;
  rarity: string | null;
  year: number | null;
  externalIds: Readonly<Record<string, string>>;
};

/** What the catalogue answers about a candidate's name, number and set. */
export type CatalogueAnswer =
  | { kind: "decided"; card: CatalogueCard }
  | { kind: "ambiguous" }
  /** No card fits. `knowsSet`: it has the set that the candidate names; `knowsGame`: at least the game. */
  | { kind: "none"; knowsSet: boolean; knowsGame: boolean };

/** The most that anybody's word counts against the catalogue: below every account's threshold. */
export const contradictedConfidence = 0.5;
/** And a model's where the catalogue has its game but not the set, which may be newer than the list. */
export const unknownConfidence = 0.8;

export type CheckedCandidate = {
  confidence: number;
  fields: KnownFields;
  externalIds: Readonly<Record<string, string>>;
  catalogue: CatalogueVerdict;
};

/**
 * A candidate after the catalogue was asked. What the catalogue confirms it also completes: set, code,
 * total, year, rarity. A generative model's confidence is not calibrated, so it is lowered wherever the
 * catalogue does not have its card; an image recognition's, which has a catalogue of its own, only where
 * ours has the set and no such card in it.
 * @param answer null where the candidate has no name or no number: a name alone is never looked up
 */
export function checkAgainstCatalogue(
  candidate: {
    provider: IdentifyProvider;
    confidence: number;
    fields: KnownFields;
    externalIds: Readonly<Record<string, string>>;
  },
  answer: CatalogueAnswer | null,
): CheckedCandidate {
  const { provider, confidence, fields, externalIds } = candidate;
  const checked = (catalogue: CatalogueVerdict, most = 1): CheckedCandidate => ({
    confidence: Math.min(confidence, most),
    fields,
    externalIds,
    catalogue,
  });
  switch (answer?.kind) {
    case undefined:
      return checked("not_checked");
    case "decided":
      return {
        ...checked("confirmed"),
        fields: completed(fields, answer.card),
        externalIds: { ...answer.card.externalIds, ...externalIds },
      };
    case "ambiguous":
      return checked("several");
    case "none":
      if (answer.knowsSet) return checked("contradicted", contradictedConfidence);
      if (!answer.knowsGame) return checked("not_checked");
      return checked("unknown", provider === "generative_ai" ? unknownConfidence : 1);
  }
}

/** The number stays as it is printed, and has its total where the catalogue knows it. */
function completed(fields: KnownFields, card: CatalogueCard): KnownFields {
  const printed = (fields.number ?? "").trim().replace(/^#\s*/u, "");
  const isWithoutTotal = numberParts(printed)?.total === null && card.setTotal !== null;
  return {
    ...fields,
    title: fields.title ?? card.name,
    subject: fields.subject ?? card.name,
    game: card.game,
    set: card.set,
    setCode: card.setCode ?? fields.setCode ?? null,
    number: isWithoutTotal ? `${printed}/${card.setTotal}` : printed,
    year: fields.year ?? card.year,
    rarity: fields.rarity ?? card.rarity,
  };
}
