import { hostile, lookAt, rivalOf } from "../protocol.ts";
import type { AnswerContext } from "../protocol.ts";
import type { Marked } from "../marker.ts";

/** What a simulated model reads from a picture, by the schema that the request asks for; null: it errs. */
export async function readingOf(
  image: Buffer,
  { fault }: AnswerContext,
): Promise<Record<string, unknown> | null> {
  if (fault === "hostile") return hostileReading();
  const marked = await lookAt(image, fault);
  if (marked === null || marked.outcome === "both_failed") return nothing;
  switch (marked.outcome) {
    case "provider_errors":
      return null;
    case "low_confidence":
      return { ...reading(marked), number: null, confidence: 0.58, unreadable: ["number"] };
    case "set_level":
      return {
        ...reading(marked),
        title: null,
        number: null,
        subject: null,
        confidence: 0.4,
        unreadable: ["title", "number"],
      };
    case "ambiguous":
      return { ...reading(rivalOf(marked)), confidence: 0.7 };
    case "graded":
      return {
        ...reading(marked),
        grader: "PSA",
        grade: fault === "wrong_grade" ? "8" : "9",
        cert_number: "48213377",
      };
    case "applied":
    case "generative_only":
      return reading(marked);
  }
}

const nothing: Record<string, unknown> = {
  is_trading_card: false,
  title: null,
  game: null,
  set: null,
  set_code: null,
  number: null,
  year: null,
  subject: null,
  team: null,
  manufacturer: null,
  variant: null,
  rarity: null,
  language: null,
  print_run: null,
  serial_number: null,
  is_rookie: false,
  is_autograph: false,
  is_memorabilia: false,
  grader: null,
  grade: null,
  cert_number: null,
  confidence: 0,
  unreadable: [],
};

function reading({ card, set }: Marked): Record<string, unknown> {
  return {
    ...nothing,
    is_trading_card: true,
    title: card.name,
    game: set.game,
    set: set.name,
    set_code: set.code,
    number: `${card.number}/${set.total}`,
    year: set.year,
    subject: card.name,
    team: card.team,
    manufacturer: set.manufacturer,
    rarity: card.rarity,
    language: "English",
    is_rookie: card.isRookie,
    confidence: 0.93,
  };
}

function hostileReading(): Record<string, unknown> {
  return {
    ...nothing,
    ...hostile.members,
    is_trading_card: true,
    title: hostile.text,
    set: hostile.text.repeat(1_000),
    number: "9".repeat(10_000),
    year: hostile.number,
    print_run: -1,
    confidence: hostile.number,
    unreadable: Array.from({ length: 10_000 }, () => "__proto__"),
  };
}

/** Roughly as many tokens as a picture and a short answer have. */
export const usage = { input: 1_290, output: 210 } as const;

export function parsedBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
