import type { ReadCertificate, ReadCode, ReadNumber } from "./reading.ts";

/** `12/142`, `TG07/TG30`, `SV107/SV122`. Of a total without a number nothing is known. */
const numberPattern = /([A-Z]{0,4}\d{1,4}[A-Z]?)\s?[/|\\]\s?([A-Z]{0,4}\d{2,4})/g;
/** What is taken for a digit where only digits can be. */
const misread: Readonly<Record<string, string>> = {
  O: "0",
  Q: "0",
  I: "1",
  L: "1",
  S: "5",
  B: "8",
};

/** Numbers with their totals in texts that were read of one card, the most often read first. */
export function numbersIn(texts: readonly string[]): ReadNumber[] {
  const votes = new Map<string, number>();
  for (const text of texts) {
    const found = new Set<string>();
    const line = text.toUpperCase().replaceAll(/[^\S\n]+/g, " ");
    for (const [, number = "", total = ""] of line.matchAll(numberPattern)) {
      // A total stands after its number in every game; a set of ten cards has none.
      const digits = Number(/\d+$/.exec(total)?.[0] ?? 0);
      if (digits >= 10) found.add(`${number}/${total}`);
    }
    for (const printed of found) votes.set(printed, (votes.get(printed) ?? 0) + 1);
  }
  return [...votes]
    .map(([printed, count]) => ({ printed, votes: count }))
    .toSorted((left, right) => right.votes - left.votes || compare(left.printed, right.printed));
}

/** Lines that could be a name: at least three letters, without what cannot be one. The longest first. */
export function nameLinesIn(texts: readonly string[]): string[] {
  const lines = texts
    .flatMap((text) => text.split("\n"))
    .map((line) =>
      line
        .replaceAll(/[^\p{L}\p{N}'’&. -]+/gu, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((line) => (line.match(/\p{L}/gu) ?? []).length >= 3);
  return [...new Set(lines)].toSorted((left, right) => right.length - left.length);
}

/** A digit for each letter that stands where a digit must: for another look at a number that fits nothing. */
export function asDigits(printed: string): string {
  return printed.replaceAll(/[OQILSB]/g, (letter) => misread[letter] ?? letter);
}

const certificateAddresses: readonly { grader: string; pattern: RegExp }[] = [
  { grader: "PSA", pattern: /psacard\.com\/cert\/(\d{5,10})/i },
  {
    grader: "CGC",
    pattern: /cgc(?:cards|comics|tradingcards)?\.com\/cert(?:lookup)?\/([\d-]{6,14})/i,
  },
  { grader: "BGS", pattern: /beckett\.com\/.*?(\d{7,12})/i },
  { grader: "SGC", pattern: /gosgc\.com\/.*?(\d{6,10})/i },
  { grader: "TAG", pattern: /taggrading\.com\/.*?([A-Z]\d{6,9})/i },
];

/**
 * The certificate that a slab's code names. An address says whose it is; a bare number does not, and is
 * not guessed.
 */
export function certificateIn(codes: readonly ReadCode[]): ReadCertificate | null {
  for (const { text } of codes) {
    for (const { grader, pattern } of certificateAddresses) {
      const certNumber = pattern.exec(text)?.[1];
      if (certNumber !== undefined) return { grader, certNumber: certNumber.replaceAll("-", "") };
    }
  }
  return null;
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
