import type {
  CatalogueVerdict,
  FieldEvidence,
  KeptCandidate,
  ReviewReason,
} from "@cardvault/contract";
import { cardFields } from "./card-fields-model.ts";
import type { CardFieldName } from "./card-fields-model.ts";
import { reviewWords } from "./words.ts";

const engineNames: Record<string, string> = {
  local: "This machine",
  cardsight: "CardSight",
  ximilar: "Ximilar",
  google: "Google's model",
  anthropic: "Anthropic's model",
  openai_compatible: "The model",
};

/** Who found something, as a person names it. */
export function engineName(engine: string): string {
  return engineNames[engine] ?? engine.replaceAll("_", " ");
}

/** `CardSight`, `CardSight and Google's model`, `This machine, CardSight and Google's model`. */
export function enginesWords(engines: readonly string[]): string {
  const names = engines.map(engineName);
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

const catalogueWords: Record<CatalogueVerdict, string> = {
  confirmed: "In the catalogue",
  several: "Several cards of the catalogue have this name and number",
  contradicted: "The catalogue has the set and no such card",
  unknown: "Not in the catalogue",
  not_checked: "Not checked against the catalogue",
};

/** `58 %`. */
export function percentWords(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Why a card waits for a person: what happened, and what is to be decided. */
export const reviewReasonWords: Record<ReviewReason, { title: string; text: string }> = {
  low_confidence: {
    title: reviewWords.low_confidence,
    text: "The best guess is below the confidence that your account asks for.",
  },
  ambiguous: {
    title: reviewWords.ambiguous,
    text: "Compare the number and the print with the photo.",
  },
  unreadable: {
    title: reviewWords.unreadable,
    text: "The title, or both set and number, could not be made out.",
  },
  providers_failed: {
    title: reviewWords.providers_failed,
    text: "Neither image recognition nor the model found a card. Write it by hand.",
  },
  high_value: {
    title: reviewWords.high_value,
    text: "It is identified, and worth more than your account's limit. Confirm or correct it.",
  },
  order_cancelled: {
    title: reviewWords.order_cancelled,
    text: "Copies that were sold may come back. Look where the card is.",
  },
  oversold: {
    title: reviewWords.oversold,
    text: "Void a sale, or see to it that the copies are there.",
  },
};

/** Why this candidate stands where it stands, in one line. */
export function candidateReason({ engines, catalogue }: KeptCandidate): string {
  const who = engines.length > 1 ? "Named by" : "Named only by";
  return `${who} ${lowerFirst(enginesWords(engines))}. ${catalogueWords[catalogue]}.`;
}

function lowerFirst(words: string): string {
  return words.startsWith("Th") ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

/** The name of a field of an identification. */
export function evidenceLabel(field: string): string {
  return field in cardFields
    ? cardFields[field as CardFieldName].label
    : field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
}

/** A value that an engine read, in words. */
export function evidenceText(value: FieldEvidence["value"]): string {
  return typeof value === "boolean" ? (value ? "Yes" : "No") : String(value);
}
