import { cardMaxima } from "@cardvault/contract";
import { invalidMember } from "./money.ts";

/**
 * A location after the place that it lies in was renamed, or merged into another: `A/03` within `A` is
 * `Vault/03` once `A` is `Vault`. Null where the rename does not concern it.
 * @param separator the account's; what follows the place must begin with it
 * @throws VaultError `validation_failed` where the new one has more than 120 characters
 */
export function relocated(
  location: string,
  rename: { from: string; to: string; withinToo: boolean },
  separator: string,
): string | null {
  const { from, to, withinToo } = rename;
  if (location !== from && !(withinToo && location.startsWith(from + separator))) return null;
  const after = to + location.slice(from.length);
  if (after.length > cardMaxima.location) {
    throw invalidMember("location", `Must have at most ${cardMaxima.location} characters`);
  }
  return after;
}
