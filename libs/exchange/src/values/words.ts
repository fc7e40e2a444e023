import type { Condition, Grading, ImportMapping } from "@cardvault/contract";
import { conditions } from "@cardvault/contract";

/** A word without what the tools write differently: case, underscores, dashes, dots. */
function plainWord(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_.-]+/gu, " ")
    .trim();
}

/** The grades of TCGplayer, Moxfield and Deckbox, with what people abbreviate. */
const general: Readonly<Record<string, Condition>> = {
  mint: "near_mint",
  m: "near_mint",
  nm: "near_mint",
  "nm/m": "near_mint",
  "nm m": "near_mint",
  "nm mt": "near_mint",
  "near mint": "near_mint",
  "near mint or better": "near_mint",
  "near mint/mint": "near_mint",
  "gem mint": "near_mint",
  unopened: "near_mint",
  lp: "lightly_played",
  sp: "lightly_played",
  ex: "lightly_played",
  excellent: "lightly_played",
  "lightly played": "lightly_played",
  "light played": "lightly_played",
  "light play": "lightly_played",
  "slightly played": "lightly_played",
  "good (lightly played)": "lightly_played",
  "lightly played (excellent)": "lightly_played",
  mp: "moderately_played",
  pl: "moderately_played",
  vg: "moderately_played",
  played: "moderately_played",
  "moderately played": "moderately_played",
  "moderate play": "moderately_played",
  "moderately played (very good)": "moderately_played",
  "very good": "moderately_played",
  good: "moderately_played",
  gd: "moderately_played",
  hp: "heavily_played",
  "heavily played": "heavily_played",
  "heavy play": "heavily_played",
  "heavily played (poor)": "heavily_played",
  fair: "heavily_played",
  d: "damaged",
  dm: "damaged",
  dmg: "damaged",
  po: "damaged",
  poor: "damaged",
  damaged: "damaged",
};

/**
 * ManaBox uses Cardmarket's seven grades: mint, near mint, excellent, good, light played, played,
 * poor. The way between that scale and ours is the one that the marketplaces' converters share.
 */
const cardmarket: Readonly<Record<string, Condition>> = {
  ...general,
  mt: "near_mint",
  "light played": "moderately_played",
  lp: "moderately_played",
  pl: "heavily_played",
  played: "heavily_played",
};

/** Of sports cards: what eBay's form offers (near mint or better, excellent, very good, poor). */
const sports: Readonly<Record<string, Condition>> = {
  ...general,
  "vg ex": "moderately_played",
  g: "heavily_played",
  good: "heavily_played",
};

const scales = { general, cardmarket, sports };

/** @returns the condition, or a sentence. */
export function parseCondition(
  text: string,
  scale: ImportMapping["condition_scale"],
): { condition: Condition } | string {
  const condition = scales[scale][plainWord(text)];
  return condition === undefined
    ? `"${text.trim().slice(0, 40)}" is not a condition. Known are ${conditions.join(", ")} and their usual names.`
    : { condition };
}

/**
 * TCGplayer says in one cell what others say in three: `Lightly Played Foil`,
 * `Near Mint 1st Edition Holofoil`, `Near Mint Foil - Japanese`.
 */
export function parseConditionAndFinish(
  text: string,
): { condition: Condition; finish: string; language: string } | string {
  const [phrase = "", language = ""] = text.split(" - ");
  const words = phrase.trim().split(/\s+/u);
  for (let count = Math.min(words.length, 4); count > 0; count -= 1) {
    const found = parseCondition(words.slice(0, count).join(" "), "general");
    if (typeof found === "string") continue;
    const finish = words.slice(count).join(" ");
    return { condition: found.condition, finish, language: language.trim() };
  }
  return `"${text.trim().slice(0, 40)}" does not begin with a condition.`;
}

const normalFinishes = ["", "normal", "nonfoil", "non foil", "regular", "no", "false", "0", "none"];

/** What a finish says of the variant: nothing where it is the normal one. */
export function parseFinish(text: string): string | undefined {
  const word = plainWord(text);
  if (normalFinishes.includes(word)) return undefined;
  if (["foil", "yes", "true", "1", "y"].includes(word)) return "foil";
  return text.trim().replaceAll("_", " ").toLowerCase();
}

const languages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    en: "english",
    ja: "japanese jp",
    de: "german ger deutsch",
    fr: "french fra",
    it: "italian ita",
    es: "spanish sp spa",
    pt: "portuguese por",
    ru: "russian rus",
    ko: "korean kr kor",
    "zh-Hans": "zhs cs chinese simplified_chinese chinese_simplified s_chinese zh_cn",
    "zh-Hant": "zht ct tw traditional_chinese chinese_traditional t_chinese zh_tw",
    la: "latin",
    nl: "dutch",
    pl: "polish",
    th: "thai",
    id: "indonesian",
  }).flatMap(([code, words]) =>
    [code.toLowerCase(), ...words.split(" ")].map((word) => [plainWord(word), code]),
  ),
);

/** The code of a language that is known by name or code, else the text as it stands. */
export function parseLanguage(text: string): string {
  const word = plainWord(text).replaceAll(/[()]/gu, "");
  return languages[word] ?? text.trim();
}

const languageNames: Readonly<Record<string, string>> = {
  en: "English",
  ja: "Japanese",
  de: "German",
  fr: "French",
  it: "Italian",
  es: "Spanish",
  pt: "Portuguese",
  ru: "Russian",
  ko: "Korean",
  "zh-Hans": "Simplified Chinese",
  "zh-Hant": "Traditional Chinese",
  la: "Latin",
};

/** The name of a language for tools that want it written out. */
export function languageName(language: string | null): string {
  return language === null ? "" : (languageNames[language] ?? language);
}

const yes = ["1", "y", "yes", "true", "x", "t", "rc", "foil"];
const no = ["", "0", "n", "no", "false", "f", "-"];

/** @returns undefined for what is neither. */
export function parseFlag(text: string): boolean | undefined {
  const word = plainWord(text);
  if (yes.includes(word)) return true;
  return no.includes(word) || word === "none" ? false : undefined;
}

const graders = "PSA BGS BVG BCCG CGC CSG SGC TAG HGA GMA KSA MNT AGS ISA ACE ARS DCI AOG".split(
  " ",
);

/** The company in one spelling, where it is known: `Professional Sports Authenticator (PSA)` is PSA. */
export function parseGrader(text: string): string {
  const [, abbreviated] = /\(([A-Z]{2,5})\)/u.exec(text) ?? [];
  const word = (abbreviated ?? text).trim().toUpperCase();
  if (word === "BECKETT") return "BGS";
  return graders.includes(word) ? word : (abbreviated ?? text.trim());
}

/**
 * `PSA 10`, `BGS 9.5 GEM MINT`, `CGC Pristine 10`, `PSA 8 (OC)`.
 * @returns the grading, or a sentence.
 */
export function parseGrading(text: string): Grading | string {
  const match = /^([A-Za-z]{2,7})[\s:-]*(.*)$/u.exec(text.trim());
  const [, company = "", rest = ""] = match ?? [];
  const grader = parseGrader(company);
  const [, qualifier] = /\(([A-Z]{2,3})\)/u.exec(rest) ?? [];
  const [grade] = /\b(?:10|[1-9](?:\.5)?|AUTH(?:ENTIC)?|A)\b/iu.exec(rest) ?? [];
  if (!graders.includes(grader) || grade === undefined) {
    return `"${text.trim().slice(0, 40)}" is not a grading like "PSA 10".`;
  }
  const isAuthentic = /^a/iu.test(grade);
  return {
    grader,
    grade: isAuthentic ? "Authentic" : grade,
    cert_number: null,
    qualifier: qualifier ?? null,
  };
}
