import type { Money } from "@cardvault/contract";

/** The number alone, for a column whose head names the currency. */
export function formatAmount({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toLocaleString(undefined, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** How many decimals a currency has. */
export function digitsOf(currency: string): number {
  const options = new Intl.NumberFormat(undefined, { style: "currency", currency });
  return options.resolvedOptions().maximumFractionDigits ?? 2;
}

/** An amount in minor units as people of this browser's language write it. */
export function formatMoney({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency });
  return format.format(amount / 10 ** digitsOf(currency));
}
