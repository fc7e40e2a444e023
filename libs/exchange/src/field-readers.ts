import { cardMaxima, maxQuantity, workflowStatuses } from "@cardvault/contract";
import type { ImportField, Money, WorkflowStatus } from "@cardvault/contract";
import type { RowPlan } from "./map-row.ts";
import type { MappedCard } from "./mapped-row.ts";
import { parseMoney, short } from "./values/money.ts";
import {
  parseCondition,
  parseConditionAndFinish,
  parseFinish,
  parseFlag,
  parseGrader,
  parseGrading,
  parseLanguage,
} from "./values/words.ts";
import { ebayName } from "./layouts/ebay-ids.ts";

/** A card while its row is read, and what several cells say together. */
export interface RowDraft {
  readonly card: MappedCard;
  readonly plan: RowPlan;
  readonly extra: {
    currency?: string;
    marketCurrency?: string;
    added?: number;
    grader?: string;
    grade?: string;
    certNumber?: string;
    qualifier?: string;
  };
}

/** Writes what a cell says into the draft, or answers with a sentence that says why not. */
type Reader = (text: string, draft: RowDraft, name: string) => string | undefined;

type TextMember =
  | "title"
  | "sku"
  | "game"
  | "set"
  | "set_code"
  | "number"
  | "subject"
  | "team"
  | "manufacturer"
  | "variant"
  | "rarity"
  | "language"
  | "serial_number"
  | "location"
  | "notes";

const maxima: Record<TextMember, number> = {
  title: cardMaxima.title,
  sku: cardMaxima.sku,
  game: cardMaxima.game,
  set: cardMaxima.set,
  set_code: cardMaxima.setCode,
  number: cardMaxima.number,
  subject: cardMaxima.name,
  team: cardMaxima.name,
  manufacturer: cardMaxima.name,
  variant: cardMaxima.name,
  rarity: cardMaxima.rarity,
  language: cardMaxima.language,
  serial_number: cardMaxima.serialNumber,
  location: cardMaxima.location,
  notes: cardMaxima.notes,
};

function tooLong(text: string, most: number): string | undefined {
  return text.length <= most
    ? undefined
    : `The text has ${text.length} characters; at most ${most} are possible.`;
}

function textInto(member: TextMember): Reader {
  return (text, { card, plan }) => {
    const problem = tooLong(text, maxima[member]);
    if (problem !== undefined) return problem;
    if (text.trim() === "" && member !== "notes") return undefined;
    // Several columns may say parts of one text.
    const before = plan.isOwn ? undefined : card[member];
    const joined = before == null ? text : `${before} ${text}`;
    card[member] = joined;
    return tooLong(joined, maxima[member]);
  };
}

function wholeNumber(text: string, least: number, most: number): number | string {
  const plain = text.trim().replace(/\.0+$/u, "");
  const value = /^\d{1,9}$/u.test(plain) ? Number(plain) : Number.NaN;
  return value >= least && value <= most
    ? value
    : `"${short(text.trim())}" is not a whole number from ${least} to ${most}.`;
}

/** `2023`, `2023-24`, `c. 1955`: the first year that is named. */
const readYear: Reader = (text, { card }) => {
  const [year] = /\b(?:18|19|20)\d{2}\b/u.exec(text) ?? [];
  if (year === undefined) return `"${short(text.trim())}" names no year from 1800 to 2099.`;
  card.year = Number(year);
  return undefined;
};

function flagInto(member: "is_rookie" | "is_autograph" | "is_memorabilia"): Reader {
  return (text, { card }) => {
    const value = parseFlag(text);
    if (value === undefined) return `"${short(text.trim())}" is neither yes nor no.`;
    card[member] = value;
    return undefined;
  };
}

function priceInto(member: "asking_price" | "price_floor" | "purchase_price"): Reader {
  return (text, { card, plan, extra }) => {
    const { currency, mapping, foreignPrices, isOwn } = plan;
    const money = parseMoney(text, {
      decimal: isOwn ? "." : mapping.decimal,
      currency: extra.currency ?? currency,
    });
    if (typeof money === "string") return money;
    if (money.currency !== currency) {
      if (foreignPrices === "leave_out") return undefined;
      return `The amount is in ${money.currency}; the account's currency is ${currency}.`;
    }
    // Nothing sells for 0: tools write it where no price is set.
    if (member === "asking_price" && money.amount === 0) return undefined;
    card[member] = money;
    return undefined;
  };
}

function currencyInto(member: "currency" | "marketCurrency"): Reader {
  return (text, { extra }) => {
    const money = parseMoney(`1 ${text.trim()}`, { decimal: ".", currency: "USD" });
    if (typeof money === "string") return `"${short(text.trim())}" is not a currency.`;
    extra[member] = money.currency;
    return undefined;
  };
}

const readAttributes: Reader = (text, { card }) => {
  for (const part of text.split(/[,;|]/u)) {
    const code = part.trim().toUpperCase();
    if (["RC", "ROOKIE", "ROOKIE CARD"].includes(code)) card.is_rookie = true;
    if (["AU", "AUTO", "AUTOGRAPH", "SIGNED"].includes(code)) card.is_autograph = true;
    if (["MEM", "MEMORABILIA", "RELIC", "PATCH", "JERSEY"].includes(code)) {
      card.is_memorabilia = true;
    }
  }
  return undefined;
};

function addVariant(card: MappedCard, variant: string | undefined): string | undefined {
  if (variant === undefined) return undefined;
  const joined = card.variant == null ? variant : `${card.variant} ${variant}`;
  card.variant = joined;
  return tooLong(joined, cardMaxima.name);
}

/** A condition; where the cell says a grading instead, as some tools do, that. */
const readCondition: Reader = (text, draft) => {
  const { card, plan, extra } = draft;
  const found = parseCondition(ebayName(text), plan.mapping.condition_scale);
  if (typeof found !== "string") {
    card.condition = found.condition;
    return undefined;
  }
  if (extra.grader !== undefined && extra.grade === undefined) {
    extra.grade = text.trim().slice(0, 20);
    return undefined;
  }
  const grading = parseGrading(text);
  if (typeof grading === "string") return found;
  card.grading = grading;
  return undefined;
};

const readConditionAndFinish: Reader = (text, { card }) => {
  const found = parseConditionAndFinish(text);
  if (typeof found === "string") return found;
  card.condition = found.condition;
  if (found.language !== "") card.language = parseLanguage(found.language);
  return addVariant(card, parseFinish(found.finish));
};

function extraInto(member: "grader" | "grade" | "certNumber" | "qualifier", most: number): Reader {
  return (text, { extra, plan }) => {
    const named = plan.isOwn ? text : ebayName(text).trim();
    const value = member === "grader" && !plan.isOwn ? parseGrader(named) : named;
    if (value.trim() === "") return undefined;
    extra[member] = value;
    return tooLong(value, most);
  };
}

/** `["a","b"]` as our own export writes what a separator would break, else separated. */
const readTags: Reader = (text, { card, plan }) => {
  const parts = tagsOf(text, plan.isOwn);
  if (parts === undefined) return `"${short(text)}" is not a list of tags.`;
  const tags = [...(card.tags ?? []), ...parts];
  card.tags = plan.isOwn ? tags : [...new Set(tags)];
  if (tags.length > cardMaxima.tags) return `A card has at most ${cardMaxima.tags} tags.`;
  return tags.map((tag) => tooLong(tag, cardMaxima.tag)).find((problem) => problem !== undefined);
};

function tagsOf(text: string, isOwn: boolean): string[] | undefined {
  if (isOwn && text.startsWith("[")) {
    const parsed = parsedJson(text);
    const isList = Array.isArray(parsed) && parsed.every((tag) => typeof tag === "string");
    return isList ? parsed : undefined;
  }
  if (isOwn) return text.split(";");
  return text
    .split(/[;,|]/u)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const readExternalIds: Reader = (text, { card }) => {
  const parsed = parsedJson(text);
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) {
    return "The cell is not a JSON object of ids.";
  }
  card.external_ids = { ...card.external_ids, ...(parsed as Record<string, string>) };
  return undefined;
};

const readMarketPrice: Reader = (text, { card, plan, extra }) => {
  const style = { decimal: ".", currency: extra.marketCurrency ?? plan.currency } as const;
  const money: Money | string = parseMoney(text, style);
  if (typeof money === "string") return money;
  const { source = "", as_of = "" } = card.market_price ?? {};
  card.market_price = { ...money, source, as_of };
  return undefined;
};

function marketInto(member: "source" | "as_of"): Reader {
  return (text, { card, plan, extra }) => {
    const currency = extra.marketCurrency ?? plan.currency;
    const before = card.market_price ?? { amount: 0, currency, source: "", as_of: "" };
    card.market_price = { ...before, [member]: text };
    return undefined;
  };
}

function quantityInto(text: string): number | string {
  return wholeNumber(text, 0, maxQuantity);
}

/** How each field is read. A blank cell never comes here: it leaves the card as it is. */
export const fieldReaders: Readonly<Record<ImportField, Reader>> = {
  card_id: (text, { card }) => {
    card.card_id = text.trim();
    return undefined;
  },
  sku: textInto("sku"),
  title: textInto("title"),
  game: textInto("game"),
  set: textInto("set"),
  set_code: textInto("set_code"),
  number: textInto("number"),
  year: readYear,
  subject: textInto("subject"),
  team: textInto("team"),
  manufacturer: textInto("manufacturer"),
  variant: textInto("variant"),
  finish: (text, { card }) => addVariant(card, parseFinish(text)),
  rarity: textInto("rarity"),
  language: (text, draft, name) =>
    textInto("language")(draft.plan.isOwn ? text : parseLanguage(text), draft, name),
  print_run: (text, { card }) => {
    const value = wholeNumber(text.replace(/^.*\//u, ""), 1, cardMaxima.printRun);
    if (typeof value === "string") return value;
    card.print_run = value;
    return undefined;
  },
  serial_number: textInto("serial_number"),
  is_rookie: flagInto("is_rookie"),
  is_autograph: flagInto("is_autograph"),
  is_memorabilia: flagInto("is_memorabilia"),
  attributes: readAttributes,
  condition: readCondition,
  condition_and_finish: readConditionAndFinish,
  grader: extraInto("grader", 20),
  grade: extraInto("grade", 20),
  cert_number: extraInto("certNumber", 30),
  qualifier: extraInto("qualifier", 20),
  grading: (text, { card }) => {
    const grading = parseGrading(text);
    if (typeof grading === "string") return grading;
    card.grading = grading;
    return undefined;
  },
  quantity: (text, { card }) => {
    const value = quantityInto(text);
    if (typeof value === "string") return value;
    card.quantity = value;
    return undefined;
  },
  add_quantity: (text, { extra }) => {
    const value = quantityInto(text);
    if (typeof value === "string") return value;
    extra.added = value;
    return undefined;
  },
  asking_price: priceInto("asking_price"),
  price_floor: priceInto("price_floor"),
  purchase_price: priceInto("purchase_price"),
  price_currency: currencyInto("currency"),
  location: textInto("location"),
  notes: textInto("notes"),
  tags: readTags,
  tag_if: (text, draft, name) =>
    parseFlag(text) === false ? undefined : readTags(name, draft, name),
  external_id: (text, { card }, name) => {
    card.external_ids = { ...card.external_ids, [name]: text.trim() };
    return tooLong(text.trim(), cardMaxima.externalId);
  },
  external_ids: readExternalIds,
  market_price: readMarketPrice,
  market_price_currency: currencyInto("marketCurrency"),
  market_price_source: marketInto("source"),
  market_price_as_of: marketInto("as_of"),
  workflow_status: (text, { card }) => {
    const status = workflowStatuses.find((one) => one === text.trim());
    if (status === undefined) return `"${short(text)}" is not a stage of the work.`;
    card.workflow_status = status satisfies WorkflowStatus;
    return undefined;
  },
};
