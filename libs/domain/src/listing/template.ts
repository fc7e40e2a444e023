import type { Condition } from "@cardvault/contract";
import type { CardState, Grading } from "../card/state.ts";
import { cutAtWord } from "./words.ts";

/** How the title and the description of a listing are made. Null: the one above it holds. */
export type ListingTemplates = { title: string | null; description: string | null };

/** What a template can say of a card. */
export type TemplateCard = Pick<
  CardState,
  | "title"
  | "game"
  | "set"
  | "setCode"
  | "number"
  | "year"
  | "subject"
  | "team"
  | "manufacturer"
  | "variant"
  | "rarity"
  | "language"
  | "printRun"
  | "serialNumber"
  | "isRookie"
  | "isAutograph"
  | "isMemorabilia"
  | "condition"
  | "grading"
  | "sku"
>;

/** What a title may have: the marketplace's limit, in UTF-16 code units. */
export const mostTitleLength = 80;
const mostDescriptionLength = 10_000;

/** What stands where neither the account nor batch nor card says otherwise. */
const defaultTemplates = {
  title: "{year} {manufacturer} {set} {subject} {variant} #{number} {features} {grade}",
  description:
    "{title}\nSet: {set} {set_code}\nNumber: {number}\nYear: {year}\nRarity: {rarity}\n" +
    "Language: {language}\nVariant: {variant}\nSerial number: {serial_number}\n" +
    "Condition: {condition}\nGraded: {grading}\nCertificate: {cert_number}",
} as const;

const shortConditions: Record<Condition, string> = {
  near_mint: "NM",
  lightly_played: "LP",
  moderately_played: "MP",
  heavily_played: "HP",
  damaged: "DMG",
};

const longConditions: Record<Condition, string> = {
  near_mint: "Near mint",
  lightly_played: "Lightly played",
  moderately_played: "Moderately played",
  heavily_played: "Heavily played",
  damaged: "Damaged",
};

type Placeholder = {
  /** The higher, the longer it stays in a title that is too long. */
  weight: number;
  /** Empty where it is not known. */
  of: (card: TemplateCard) => string;
};

const known = (value: string | number | null): string => (value === null ? "" : `${value}`.trim());

const placeholders: Readonly<Record<string, Placeholder>> = {
  subject: { weight: 100, of: ({ subject, title }) => known(subject) || known(title) },
  title: { weight: 100, of: ({ title }) => known(title) },
  grade: { weight: 95, of: gradeOf },
  number: { weight: 90, of: ({ number }) => known(number) },
  set: { weight: 80, of: ({ set }) => known(set) },
  year: { weight: 75, of: ({ year }) => known(year) },
  variant: { weight: 70, of: ({ variant }) => known(variant) },
  features: { weight: 65, of: featuresOf },
  serial_number: { weight: 60, of: ({ serialNumber }) => known(serialNumber) },
  print_run: { weight: 55, of: ({ printRun }) => (printRun === null ? "" : `/${printRun}`) },
  manufacturer: { weight: 50, of: ({ manufacturer }) => known(manufacturer) },
  game: { weight: 45, of: ({ game }) => known(game) },
  team: { weight: 40, of: ({ team }) => known(team) },
  rarity: { weight: 35, of: ({ rarity }) => known(rarity) },
  grading: { weight: 95, of: ({ grading }) => (grading === null ? "" : gradingText(grading)) },
  grader: { weight: 30, of: ({ grading }) => known(grading?.grader ?? null) },
  condition: {
    weight: 30,
    of: ({ condition }) => (condition === null ? "" : longConditions[condition]),
  },
  set_code: { weight: 25, of: ({ setCode }) => known(setCode) },
  cert_number: { weight: 20, of: ({ grading }) => known(grading?.certNumber ?? null) },
  language: { weight: 15, of: ({ language }) => known(language) },
  sku: { weight: 5, of: ({ sku }) => known(sku) },
};

/** The names that a template may put in braces. */
export const templatePlaceholders = Object.keys(placeholders);

const placeholder = /\{([^{}]*)\}/g;

/** What is wrong with a template, as a sentence; null where nothing is. */
export function templateProblem(template: string): string | null {
  const names = Array.from(template.matchAll(placeholder), ([, name = ""]) => name);
  const unknown = names.find((name) => !Object.hasOwn(placeholders, name));
  if (unknown !== undefined) {
    return `Knows no {${unknown}}; there are ${templatePlaceholders.map((name) => `{${name}}`).join(" ")}`;
  }
  return /[{}]/.test(template.replaceAll(placeholder, "")) ? "Has a brace without its other" : null;
}

/** The nearest that says something: the card's own, its batch's, the account's, ours. */
export function templatesOf(
  ...nearestFirst: readonly (ListingTemplates | null)[]
): Record<keyof ListingTemplates, string> {
  const nearest = (name: keyof ListingTemplates): string =>
    nearestFirst.find((one) => one?.[name] != null)?.[name] ?? defaultTemplates[name];
  return { title: nearest("title"), description: nearest("description") };
}

/**
 * A listing's title: at most 80 characters. What is not known is left out with what is stuck to it, as the
 * `#` of `#{number}`. One that is too long loses its least important parts, and at last words from its end;
 * never the middle of a word. Empty where nothing is known of the card.
 */
export function renderTitle(template: string, card: TemplateCard): string {
  return fitTitle(template, card).title;
}

/** A title as {@link renderTitle} makes it, and what it has lost to its limit, the first lost first. */
export function fitTitle(
  template: string,
  card: TemplateCard,
): { title: string; dropped: string[] } {
  const dropped: string[] = [];
  const parts = template
    .split(/\s+/)
    .map((text) => partOf(text, card))
    .filter((part) => part !== null);
  for (;;) {
    const title = joined(parts);
    if (title.length <= mostTitleLength || parts.length < 2) {
      const cut = cutAtWord(title, mostTitleLength);
      if (cut !== title) dropped.push(title.slice(cut.length).trim());
      return { title: cut, dropped };
    }
    const least = Math.min(...parts.map(({ weight }) => weight));
    const [lost] = parts.splice(
      parts.findLastIndex(({ weight }) => weight === least),
      1,
    );
    if (lost !== undefined && !lost.isSeparator) dropped.push(lost.text);
  }
}

/** A listing's description: lines whose placeholders are all unknown are left out. */
export function renderDescription(template: string, card: TemplateCard): string {
  const lines = template.split("\n").flatMap((line) => {
    const names = Array.from(line.matchAll(placeholder), ([, name = ""]) => name);
    const isUnknown = names.length > 0 && names.every((name) => valueOf(name, card) === "");
    if (isUnknown) return [];
    const text = names.length === 0 ? line : withValues(line, card);
    return [text.replaceAll(/ {2,}/g, " ").trimEnd()];
  });
  return lines.join("\n").trim().slice(0, mostDescriptionLength);
}

type Part = { text: string; weight: number; isSeparator: boolean };

/** A piece of a title template without white space; null where nothing of it is known. */
function partOf(text: string, card: TemplateCard): Part | null {
  const names = Array.from(text.matchAll(placeholder), ([, name = ""]) => name);
  if (names.length === 0) {
    return text === "" ? null : { text, weight: 0, isSeparator: !/[\p{L}\p{N}]/u.test(text) };
  }
  const filled = names.filter((name) => valueOf(name, card) !== "");
  if (filled.length === 0) return null;
  const weight = Math.max(...filled.map((name) => placeholders[name]?.weight ?? 0));
  const rendered = withValues(text, card);
  const trimmed =
    filled.length === names.length ? rendered : rendered.replace(/^[/|,-]+|[/|,-]+$/g, "");
  return { text: trimmed, weight, isSeparator: false };
}

/** Separators stand between two parts, and never two of them. */
function joined(parts: readonly Part[]): string {
  const kept: Part[] = [];
  for (const part of parts) {
    if (part.isSeparator && (kept.length === 0 || kept.at(-1)?.isSeparator === true)) continue;
    kept.push(part);
  }
  while (kept.at(-1)?.isSeparator === true) kept.pop();
  return kept
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function withValues(text: string, card: TemplateCard): string {
  return text.replaceAll(placeholder, (_, name: string) => valueOf(name, card));
}

function valueOf(name: string, card: TemplateCard): string {
  return placeholders[name]?.of(card).replaceAll(/\s+/g, " ") ?? "";
}

/** `PSA 10`, or `NM`: what decides the price of a card. */
function gradeOf({ grading, condition }: TemplateCard): string {
  if (grading !== null) return gradingText(grading);
  return condition === null ? "" : shortConditions[condition];
}

function gradingText({ grader, grade, qualifier }: Grading): string {
  return [grader, grade, qualifier].filter((part) => known(part) !== "").join(" ");
}

function featuresOf(card: TemplateCard): string {
  return [card.isRookie && "RC", card.isAutograph && "Auto", card.isMemorabilia && "Relic"]
    .filter((word) => word !== false)
    .join(" ");
}
