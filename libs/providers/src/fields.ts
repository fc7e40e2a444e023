import { cardMaxima } from "@cardvault/contract";
import type { Grading, Identification } from "@cardvault/contract";
import * as z from "zod";

// What a provider says becomes fields of ours here, and nowhere else: cleaned, cut to the contract's
// maxima, and null where it is nothing.

/** Texts of an answer: a number where a text is expected is one, everything else is nothing. */
export const loose = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => (value == null ? null : String(value)));

/** A list of an answer; what is no list is an empty one. */
export function looseList<Item extends z.ZodType>(item: Item, most = 50) {
  return z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((values) =>
      (values ?? []).slice(0, most).flatMap((value): z.output<Item>[] => {
        const result = item.safeParse(value);
        return result.success ? [result.data] : [];
      }),
    );
}

/** Without control characters, tags of HTML and doubled blanks; null where nothing is left. */
export function cleanText(value: string | null | undefined, maxLength: number): string | null {
  if (value == null) return null;
  const plain = value
    .slice(0, 10_000)
    .replaceAll(/<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>/giu, " ")
    .replaceAll(/<[^>]{0,500}>/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  // Never between the two halves of a character.
  const short = plain
    .slice(0, maxLength)
    .replace(/[\ud800-\udbff]$/u, "")
    .trim();
  return short === "" ? null : short;
}

/** The year that a text begins with, within what the contract allows: `2019-20` is 2019. */
function cleanYear(value: string | number | null | undefined): number | null {
  const [digits] = /\b(1[89]\d\d|20\d\d)\b/.exec(String(value ?? "")) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** A whole number within bounds; else null. */
function cleanCount(value: unknown, max: number): number | null {
  const count = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 1 && count <= max
    ? count
    : null;
}

/** A share; what is none, or is none that a number can say, counts as 0. */
export function cleanConfidence(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}

/** An address of a picture: https, and short enough to keep. */
export function cleanImageUrl(value: string | null | undefined): string | null {
  if (value == null || value.length > 500 || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === "https:" && url.username === "" ? url.href : null;
}

/** Ids, without names that an object already has. At most as many as a card can hold. */
export function cleanIds(
  ids: Readonly<Record<string, string | number | null | undefined>>,
): Record<string, string> {
  const clean: [string, string][] = [];
  for (const [name, value] of Object.entries(ids)) {
    const id = cleanText(value == null ? null : String(value), cardMaxima.externalId);
    if (id !== null && /^[a-z][a-z0-9_]{0,49}$/.test(name)) clean.push([name, id]);
  }
  return Object.fromEntries(clean.slice(0, cardMaxima.externalIds));
}

export interface RawIdentification {
  title?: string | null | undefined;
  game?: string | null | undefined;
  set?: string | null | undefined;
  setCode?: string | null | undefined;
  /** Plain, or with the total. */
  number?: string | null | undefined;
  total?: number | null | undefined;
  year?: string | number | null | undefined;
  subject?: string | null | undefined;
  team?: string | null | undefined;
  manufacturer?: string | null | undefined;
  variant?: string | null | undefined;
  rarity?: string | null | undefined;
  language?: string | null | undefined;
  printRun?: unknown;
  serialNumber?: string | null | undefined;
  isRookie?: boolean | undefined;
  isAutograph?: boolean | undefined;
  isMemorabilia?: boolean | undefined;
}

/** An identification that keeps the contract, whatever the provider wrote. */
export function identificationOf(raw: RawIdentification): Identification {
  const name = (value: string | null | undefined): string | null =>
    cleanText(value, cardMaxima.name);
  const plain = cleanText(raw.number, cardMaxima.number)?.replace(/^#\s*/u, "") ?? null;
  const total = cleanCount(raw.total, 100_000);
  const number =
    plain !== null && total !== null && !plain.includes("/") ? `${plain}/${total}` : plain;
  return {
    title: cleanText(raw.title, cardMaxima.title),
    game: cleanText(raw.game, cardMaxima.game),
    set: cleanText(raw.set, cardMaxima.set),
    set_code: cleanText(raw.setCode, cardMaxima.setCode),
    number: cleanText(number, cardMaxima.number),
    year: cleanYear(raw.year),
    subject: name(raw.subject),
    team: name(raw.team),
    manufacturer: name(raw.manufacturer),
    variant: name(raw.variant),
    rarity: cleanText(raw.rarity, cardMaxima.rarity),
    language: cleanText(raw.language, cardMaxima.language),
    print_run: cleanCount(raw.printRun, cardMaxima.printRun),
    serial_number: cleanText(raw.serialNumber, cardMaxima.serialNumber),
    is_rookie: raw.isRookie ?? false,
    is_autograph: raw.isAutograph ?? false,
    is_memorabilia: raw.isMemorabilia ?? false,
  };
}

/** A grading; null where grader or grade is missing. */
export function gradingOf(raw: {
  grader?: string | null | undefined;
  grade?: string | null | undefined;
  certNumber?: string | null | undefined;
  qualifier?: string | null | undefined;
}): Grading | null {
  const grader = cleanText(raw.grader, 20);
  const grade = cleanText(raw.grade, 20);
  if (grader === null || grade === null) return null;
  return {
    grader,
    grade,
    cert_number: cleanText(raw.certNumber, 30),
    qualifier: cleanText(raw.qualifier, 20),
  };
}
