import type { CardState } from "../card/state.ts";
import { cardCategories, sportOf } from "./category.ts";
import { cutAtWord } from "./words.ts";

/** What the marketplace takes for one value. */
const mostValueLength = 65;

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** Which member of a card an aspect is taken from: what a dealer fills in where it is missing. */
const fields: Readonly<Record<string, string>> = {
  Game: "game",
  Sport: "game",
  Set: "set",
  "Card Name": "title",
  Character: "subject",
  "Player/Athlete": "subject",
  Rarity: "rarity",
  "Card Number": "number",
  Language: "language",
  Graded: "grading",
  Grade: "grading.grade",
  "Professional Grader": "grading.grader",
  "Certification Number": "grading.cert_number",
  Autographed: "is_autograph",
  "Year Manufactured": "year",
  Season: "year",
  Manufacturer: "manufacturer",
  Team: "team",
  "Parallel/Variety": "variant",
  Finish: "variant",
  "Print Run": "print_run",
};

/** The member of a card, by the contract's name, from which an aspect comes. */
export function fieldOfAspect(aspect: string): string {
  return fields[aspect] ?? "category_id";
}

/**
 * The item specifics of a card, by the marketplace's own names; what is not known is not among them.
 * @param categoryId which names are asked for depends on it
 */
export function aspectsOf(card: CardState, categoryId: string | null): Record<string, string[]> {
  const { grading } = card;
  const isSport = categoryId === cardCategories.sport;
  const isGame = categoryId === cardCategories.collectible_card_game;
  const wanted: Record<string, (string | null)[]> = {
    Game: [isGame ? card.game : null],
    Sport: [isSport ? sportOf(card) : null],
    Franchise: [isGame || isSport ? null : card.game],
    Set: [card.set],
    "Card Name": [card.title],
    Character: [isSport ? null : card.subject],
    "Player/Athlete": [isSport ? card.subject : null],
    Team: [card.team],
    Rarity: [isSport ? null : card.rarity],
    "Card Number": [card.number],
    Language: [languageOf(card.language)],
    Manufacturer: [card.manufacturer],
    [isSport ? "Parallel/Variety" : "Finish"]: [card.variant],
    "Year Manufactured": [card.year === null ? null : String(card.year)],
    Season: [isSport && card.year !== null ? String(card.year) : null],
    Graded: [grading === null ? "No" : "Yes"],
    "Professional Grader": [grading?.grader ?? null],
    Grade: [grading?.grade ?? null],
    "Certification Number": [grading?.certNumber ?? null],
    Autographed: [card.isAutograph ? "Yes" : "No"],
    "Print Run": [card.printRun === null ? null : String(card.printRun)],
    Features: [
      card.isRookie ? "Rookie" : null,
      card.isMemorabilia ? "Memorabilia" : null,
      card.serialNumber === null && card.printRun === null ? null : "Serial Numbered",
    ],
  };
  const aspects: Record<string, string[]> = {};
  for (const [name, values] of Object.entries(wanted)) {
    const kept = values.flatMap((value) => {
      const text = value === null ? "" : cutAtWord(value.trim(), mostValueLength);
      return text === "" ? [] : [text];
    });
    if (kept.length > 0) aspects[name] = kept;
  }
  return aspects;
}

/** `en` is English; a language that is written out stays as it is. */
function languageOf(language: string | null): string | null {
  if (language === null || !/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/.test(language)) return language;
  return languages.of(language) ?? language;
}
