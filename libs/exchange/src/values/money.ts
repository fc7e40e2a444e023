import type { Money } from "@cardvault/contract";
import { currencies, maxAmount } from "@cardvault/contract";

const symbols: Readonly<Record<string, string>> = {
  $: "USD",
  US$: "USD",
  C$: "CAD",
  CA$: "CAD",
  A$: "AUD",
  AU$: "AUD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  "₹": "INR",
};

export type MoneyStyle = {
  /** What separates the cents where one separator alone does not say. */
  decimal: "." | ",";
  /** ISO 4217: what an amount without a currency is in. */
  currency: string;
};

/** Longer than any amount, and short enough that trying every way to read it is nothing. */
const maxLength = 100;

/**
 * An amount as people and tools write it: `$1,234.50`, `1.234,50 €`, `1 234,5`, `EUR 12`, `44.0000`.
 * More decimals than the currency has are rounded to the nearest.
 * @returns the amount in minor units, or a sentence.
 */
export function parseMoney(text: string, style: MoneyStyle): Money | string {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return `"${short(trimmed)}" is not an amount of money.`;
  const match = /^([^\d.,+-]*)([\d.,'’\s\u00A0\u202F]*\d[.,]?)([^\d.,]*)$/u.exec(trimmed);
  if (match === null) return `"${short(trimmed)}" is not an amount of money.`;
  const [, before = "", digits = "", after = ""] = match;
  const unit = `${before.trim()}${after.trim()}`;
  const currency = unit === "" ? style.currency : currencyOf(unit, style.currency);
  if (currency === undefined) return `"${short(unit)}" is not a currency.`;
  const number = numberOf(digits, style.decimal);
  if (number === undefined) return `"${short(trimmed)}" is not an amount of money.`;
  const amount = Math.round(Number(`${number}e${minorDigits(currency)}`));
  if (!(amount <= maxAmount)) return `"${short(trimmed)}" is too large an amount.`;
  return { amount, currency };
}

/** An amount as a program reads it: `1234.50`. */
export function formatMoney({ amount, currency }: Money): string {
  const digits = minorDigits(currency);
  if (digits === 0) return String(amount);
  const text = String(amount).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `$` is the account's own where that is a dollar. */
function currencyOf(unit: string, own: string): string | undefined {
  const code = unit.toUpperCase();
  if (currencies.includes(code)) return code;
  if (unit === "$" && own.endsWith("D") && currencies.includes(own)) return own;
  return symbols[code];
}

/** The digits with a point before the decimals, or nothing where the separators make no sense. */
function numberOf(given: string, decimal: "." | ","): string | undefined {
  const digits = given.replaceAll(/['’\s\u00A0\u202F]/gu, "");
  const point = decimalPoint(digits, decimal);
  const whole = point === -1 ? digits : digits.slice(0, point);
  const fraction = point === -1 ? "" : digits.slice(point + 1);
  if (!/^\d*$/u.test(fraction)) return undefined;
  if (!/^(?:\d*|\d{1,3}(?:[.,]\d{3})+)$/u.test(whole)) return undefined;
  return `${whole.replaceAll(/[.,]/gu, "") || "0"}.${fraction}`;
}

/** Where the decimals begin; -1 where there are none. */
function decimalPoint(digits: string, decimal: "." | ","): number {
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  if (last === -1) return -1;
  const separator = digits.charAt(last);
  if (digits.includes(separator === "." ? "," : ".")) return last;
  if (digits.indexOf(separator) !== last) return -1;
  // One separator alone: before three digits it may separate thousands.
  const isGroup = digits.length - last - 1 === 3 && last > 0 && last <= 3;
  return isGroup && separator !== decimal ? -1 : last;
}

/** What separates the cents in these amounts; a point where none of them says. */
export function guessDecimal(values: Iterable<string>): "." | "," {
  let commas = 0;
  let points = 0;
  for (const value of values) {
    const [, separator] = /([.,])\d{1,2}\D*$/u.exec(value.trim()) ?? [];
    if (separator === ",") commas += 1;
    if (separator === ".") points += 1;
  }
  return commas > points ? "," : ".";
}

const digitsByCurrency = new Map<string, number>();

function minorDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/** What a message repeats of a cell. */
export function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
