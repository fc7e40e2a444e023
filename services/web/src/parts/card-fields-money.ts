import type { Money } from "@cardvault/contract";
import { digitsOf } from "./money.ts";

/** Far above what a card costs, and below what the service takes. */
const mostDigits = 10;

/** An amount as it is typed: `1250.00`, without the currency. */
export function amountText({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

/**
 * An amount as people and spreadsheets write it: `1,250.50`, `1.250,50`, `$12`, `12 USD`. A lone separator
 * before exactly three digits divides thousands where the currency has no thousandths.
 * @param least in minor units
 */
export function readAmount(
  typed: string,
  currency: string,
  least: number,
): { value: Money; problem?: undefined } | { problem: string } {
  const digits = digitsOf(currency);
  const named = /[A-Za-z]{3}/.exec(typed)?.[0].toUpperCase();
  const plain = typed.replace(/[A-Za-z]{3}/, "").replaceAll(/[\s\p{Sc}']/gu, "");
  const problem = { problem: `An amount, as ${digits === 0 ? "1250" : "12.50"}` };
  if (!/^\d[\d.,]*$/.test(plain)) return problem;
  if (named !== undefined && named !== currency) {
    return { problem: `In ${currency}, the account's currency` };
  }
  const marks = plain.replaceAll(/\d/g, "");
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  const decimals = last < 0 ? "" : plain.slice(last + 1);
  const isMixed = marks.includes(".") && marks.includes(",");
  const isGrouping = last >= 0 && !isMixed && (marks.length > 1 || decimals.length === 3);
  const whole = isGrouping || last < 0 ? plain : plain.slice(0, last);
  const fraction = isGrouping ? "" : decimals;
  if (!/^(\d+|[1-9]\d{0,2}([.,])\d{3}(\2\d{3})*)$/.test(whole)) return problem;
  if (whole.replaceAll(/\D/g, "").length > mostDigits) return problem;
  if (fraction.length > digits) {
    return { problem: digits === 0 ? "Without decimals" : `At most ${digits} decimals` };
  }
  const amount = Number(whole.replaceAll(/\D/g, "") + fraction.padEnd(digits, "0"));
  return amount < least ? { problem: "More than 0" } : { value: { amount, currency } };
}
