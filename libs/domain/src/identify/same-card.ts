import type { IdentificationFields } from "../card/state.ts";

/** What is known of a card by one who looked at it. What is absent or null is not known. */
export type KnownFields = { [Name in keyof IdentificationFields]?: IdentificationFields[Name] };

/** A number within a set. `n` keeps letters (`TG12`), without leading zeros; `total` where it is printed. */
export type NumberParts = { n: string; total: number | null };

/**
 * How two answers stand to each other. `same`: name and number agree and nothing speaks against it.
 * `compatible`: nothing speaks against it, and a name alone never decides. `different`: something does.
 */
export type Likeness = "same" | "compatible" | "different";

/** Lower case, without accents, and only letters and digits, so that spelling is not a difference. */
export function plain(text: string | null | undefined): string {
  return (text ?? "")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** `#012/180` → 12 of 180. Null where there is no number. */
export function numberParts(number: string | null | undefined): NumberParts | null {
  const match = /^\s*#?\s*([\p{L}\p{N}.-]+)\s*(?:\/\s*([\p{L}]*)(\d+))?\s*$/u.exec(number ?? "");
  if (match === null) return null;
  const [, n = "", , total] = match;
  const known = n.toLowerCase().replace(/^([^\d]*)0+(?=\d)/u, "$1");
  return { n: known, total: total === undefined ? null : Number(total) };
}

/** Whether two numbers may be one; null where one of them is not known. */
export function numbersAgree(
  left: string | null | undefined,
  right: string | null | undefined,
): boolean | null {
  const [a, b] = [numberParts(left), numberParts(right)];
  if (a === null || b === null) return null;
  if (a.n !== b.n) return false;
  return a.total === null || b.total === null || a.total === b.total;
}

/**
 * Whether a card is named so: its subject is the name, or its title is or has it as whole words
 * (`2024 Storm Harbour Charged Serpent #12`).
 */
function isNamed(card: Pick<KnownFields, "title" | "subject">, name: string): boolean {
  const wanted = plain(name);
  if (wanted === "") return false;
  const [subject, title] = [plain(card.subject), plain(card.title)];
  return subject === wanted || ` ${title} `.includes(` ${wanted} `);
}

/** How alike what two providers said is. Games have too many names to be compared. */
export function likenessOf(left: KnownFields, right: KnownFields): Likeness {
  const names = namesAgree(left, right);
  const numbers = numbersAgree(left.number, right.number);
  const sets = setsAgree(left, right);
  const others = [
    textsAgree(left.variant, right.variant),
    codesAgree(left.language, right.language),
    yearsAgree(left.year, right.year),
  ];
  if ([names, numbers, sets, ...others].includes(false)) return "different";
  return names === true && numbers === true ? "same" : "compatible";
}

function namesAgree(left: KnownFields, right: KnownFields): boolean | null {
  const [a, b] = [left.subject ?? left.title, right.subject ?? right.title];
  if (plain(a) === "" || plain(b) === "") return null;
  return isNamed(left, b ?? "") || isNamed(right, a ?? "");
}

/** A code is more exact than a name; a set's name may stand with its series or without. */
function setsAgree(left: KnownFields, right: KnownFields): boolean | null {
  const codes = textsAgree(left.setCode, right.setCode);
  if (codes === true) return true;
  const [a, b] = [plain(left.set), plain(right.set)];
  if (a === "" || b === "") return codes;
  return ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `);
}

function textsAgree(
  left: string | null | undefined,
  right: string | null | undefined,
): boolean | null {
  const [a, b] = [plain(left), plain(right)];
  return a === "" || b === "" ? null : a === b;
}

/** `en` is not `ja`, but may be `English`. */
function codesAgree(
  left: string | null | undefined,
  right: string | null | undefined,
): boolean | null {
  return left?.length === right?.length ? textsAgree(left, right) : null;
}

/** Seasons are named by either of their years. */
function yearsAgree(
  left: number | null | undefined,
  right: number | null | undefined,
): boolean | null {
  return left == null || right == null ? null : Math.abs(left - right) <= 1;
}
