import { cardMaxima, conditions } from "@cardvault/contract";
import type { Card, CardPatch, Condition, Grading, Money } from "@cardvault/contract";
import { amountText, readAmount } from "./card-fields-money.ts";
import { conditionWords } from "./words.ts";

/** What a person can write into a card, by the names of a PATCH. */
export type CardFieldName = Exclude<keyof CardPatch, "workflow_status">;

/** The values of a card's fields, all of them or some. */
export type CardValues = { [Name in CardFieldName]?: Card[Name] | null };

type FieldKind =
  | { type: "text"; most: number; isLong?: true }
  | { type: "whole"; least: number; most: number; isNeeded?: true }
  | { type: "money"; least: number }
  | { type: "flag" }
  | { type: "condition" }
  | { type: "grading" }
  | { type: "tags" };

interface CardField {
  readonly label: string;
  readonly kind: FieldKind;
  /** Of a new card likely the same as of the one before it. */
  readonly isContext?: true;
}

const text = (label: string, most: number): CardField => ({ label, kind: { type: "text", most } });
const context = (label: string, most: number): CardField => ({
  ...text(label, most),
  isContext: true,
});
const flag = (label: string): CardField => ({ label, kind: { type: "flag" } });
const money = (label: string, least: number): CardField => ({
  label,
  kind: { type: "money", least },
});

const mostCopies = 9_999;

/** In the order in which they are shown and filled in. */
export const cardFields: Readonly<Record<CardFieldName, CardField>> = {
  title: text("Title", cardMaxima.title),
  game: context("Game", cardMaxima.game),
  set: context("Set", cardMaxima.set),
  set_code: context("Set code", cardMaxima.setCode),
  number: text("Number", cardMaxima.number),
  year: { label: "Year", kind: { type: "whole", least: 1800, most: 2100 }, isContext: true },
  subject: text("Player or character", cardMaxima.name),
  team: text("Team", cardMaxima.name),
  manufacturer: context("Manufacturer", cardMaxima.name),
  variant: text("Variant", cardMaxima.name),
  rarity: text("Rarity", cardMaxima.rarity),
  language: context("Language", cardMaxima.language),
  print_run: { label: "Print run", kind: { type: "whole", least: 1, most: cardMaxima.printRun } },
  serial_number: text("Serial number", cardMaxima.serialNumber),
  is_rookie: flag("Rookie"),
  is_autograph: flag("Autograph"),
  is_memorabilia: flag("Memorabilia"),
  condition: { label: "Condition", kind: { type: "condition" }, isContext: true },
  grading: { label: "Grading", kind: { type: "grading" } },
  quantity: {
    label: "Copies",
    kind: { type: "whole", least: 1, most: mostCopies, isNeeded: true },
  },
  asking_price: money("Asking price", 1),
  price_floor: money("Price floor", 0),
  purchase_price: money("Cost", 0),
  location: context("Location", cardMaxima.location),
  sku: text("SKU", cardMaxima.sku),
  tags: { label: "Tags", kind: { type: "tags" } },
  notes: { label: "Notes", kind: { type: "text", most: cardMaxima.notes, isLong: true } },
};

/** What a card is; the others are what its owner does with it. */
export const identityFields = [
  "title",
  "game",
  "set",
  "set_code",
  "number",
  "year",
  "subject",
  "team",
  "manufacturer",
  "variant",
  "rarity",
  "language",
  "print_run",
  "serial_number",
  "is_rookie",
  "is_autograph",
  "is_memorabilia",
] as const satisfies readonly CardFieldName[];

type FieldReading<Name extends CardFieldName = CardFieldName> =
  | { value: Card[Name] | null; problem?: undefined }
  | { problem: string };

/** A value as text that {@link readField} reads again; empty where there is none. */
export function fieldText(name: CardFieldName, value: CardValues[CardFieldName]): string {
  if (value === null || value === undefined) return "";
  switch (cardFields[name].kind.type) {
    case "money":
      return amountText(value as Money);
    case "flag":
      return value === true ? "Yes" : "";
    case "condition":
      return conditionWords[value as Condition] ?? (value as string);
    case "grading":
      return gradingText(value as Grading);
    case "tags":
      return (value as string[]).join(", ");
    default:
      return typeof value === "object" ? "" : String(value);
  }
}

/** `PSA 9 (OC) #48213377`. */
export function gradingText({ grader, grade, qualifier, cert_number: cert }: Grading): string {
  const parts = [grader, grade];
  if (qualifier !== null) parts.push(`(${qualifier})`);
  if (cert !== null) parts.push(`#${cert}`);
  return parts.join(" ");
}

/**
 * What somebody typed or pasted, as the member of a PATCH; empty clears.
 * @param currency the account's
 */
export function readField(name: CardFieldName, typed: string, currency: string): FieldReading {
  const { kind } = cardFields[name];
  const trimmed = kind.type === "text" && kind.isLong === true ? typed : typed.trim();
  switch (kind.type) {
    case "text":
      if (trimmed === "") return { value: null };
      return trimmed.length <= kind.most
        ? { value: trimmed }
        : { problem: `At most ${kind.most.toLocaleString()} characters` };
    case "whole":
      return trimmed === "" && kind.isNeeded !== true ? { value: null } : readWhole(trimmed, kind);
    case "money":
      return trimmed === "" ? { value: null } : readAmount(trimmed, currency, kind.least);
    case "flag":
      return readFlag(trimmed);
    case "condition":
      return trimmed === "" ? { value: null } : readCondition(trimmed);
    case "grading":
      return trimmed === "" ? { value: null } : readGrading(trimmed);
    case "tags":
      return readTags(trimmed);
  }
}

function readWhole(typed: string, { least, most }: { least: number; most: number }): FieldReading {
  const value = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
  if (value >= least && value <= most) return { value };
  return {
    problem: `A whole number from ${least} to ${least === 1800 ? most : most.toLocaleString()}`,
  };
}

function readFlag(typed: string): FieldReading {
  if (/^(yes|y|true|1|x)$/i.test(typed)) return { value: true };
  return /^(no|n|false|0|)$/i.test(typed) ? { value: false } : { problem: "Yes or no" };
}

const conditionShorts: Record<Condition, string> = {
  near_mint: "nm",
  lightly_played: "lp",
  moderately_played: "mp",
  heavily_played: "hp",
  damaged: "dmg",
};

function readCondition(typed: string): FieldReading {
  const plain = typed.toLowerCase().replaceAll(/[\s_-]+/g, "_");
  const value = conditions.find((one) => one === plain || conditionShorts[one] === plain);
  return value === undefined
    ? { problem: `One of ${conditions.map((one) => conditionWords[one]).join(", ")}` }
    : { value };
}

function readGrading(typed: string): FieldReading {
  const parts = /^(\S{1,20})\s+([^\s(#]{1,20})(?:\s*\(([^)]{1,20})\))?(?:\s*#\s*(\S{1,30}))?$/.exec(
    typed,
  );
  if (parts === null) return { problem: "Grader, grade and certificate: PSA 9 #48213377" };
  const [, grader = "", grade = "", qualifier = null, cert = null] = parts;
  return { value: { grader, grade, qualifier, cert_number: cert } };
}

function readTags(typed: string): FieldReading {
  const tags = [...new Set(typed.split(/[,;|]/).map((tag) => tag.trim()))].filter(
    (tag) => tag !== "",
  );
  if (tags.length > cardMaxima.tags) return { problem: `At most ${cardMaxima.tags} tags` };
  return tags.some((tag) => tag.length > cardMaxima.tag)
    ? { problem: `A tag has at most ${cardMaxima.tag} characters` }
    : { value: tags };
}

/** Whether two values of a field are the same to who reads them. */
export function isSameValue(
  name: CardFieldName,
  one: CardValues[CardFieldName],
  other: CardValues[CardFieldName],
): boolean {
  return fieldText(name, one) === fieldText(name, other);
}
