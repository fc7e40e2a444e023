import type { Money } from "@cardvault/contract";

/** Making one takes longer than using it a hundred times. */
const amountFormats = new Map<string, Intl.NumberFormat>();
const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency });
  moneyFormats.set(currency, format);
  return format;
}

/** The number alone, for a column whose head names the currency. */
export function formatAmount({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  let format = amountFormats.get(currency);
  if (format === undefined) {
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    format = new Intl.NumberFormat(undefined, options);
    amountFormats.set(currency, format);
  }
  return format.format(amount / 10 ** digits);
}

const digitsByCurrency = new Map<string, number>();

/** How many decimals a currency has. */
export function digitsOf(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    digits = moneyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/** An amount in minor units as people of this browser's language write it. */
export function formatMoney({ amount, currency }: Money): string {
  return moneyFormat(currency).format(amount / 10 ** digitsOf(currency));
}
