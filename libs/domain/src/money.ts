import { VaultError } from "@cardvault/contract";
import type { ErrorDetail, Money } from "@cardvault/contract";

/**
 * An account has one currency, fixed when it is made; its own amounts are in it.
 * @param amounts what was given, by its path in the request.
 * @throws VaultError `validation_failed` that names every amount in another currency.
 */
export function requireCurrency(
  accountCurrency: string,
  amounts: Readonly<Record<string, Money | null | undefined>>,
): void {
  const details: ErrorDetail[] = Object.entries(amounts)
    .filter(([, amount]) => amount && amount.currency !== accountCurrency)
    .map(([path]) => ({
      path: `${path}.currency`,
      message: `Must be ${accountCurrency}, the account's currency`,
    }));
  if (details.length > 0) throw new VaultError("validation_failed", { details });
}

/** A request's member that breaks a rule. */
export function invalidMember(path: string, message: string): VaultError {
  return new VaultError("validation_failed", { details: [{ path, message }] });
}

/**
 * A number of copies is a whole one of at least 1.
 * @throws VaultError `validation_failed`
 */
export function requireCount(quantity: number): void {
  if (!Number.isSafeInteger(quantity) || quantity < 1) {
    throw invalidMember("quantity", "Must be at least 1");
  }
}
