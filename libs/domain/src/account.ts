import { VaultError } from "@cardvault/contract";
import type { Environment } from "@cardvault/contract";
import { outcomeOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";

export type AccountState = {
  environment: Environment;
  /** ISO 4217, fixed when the account is made. */
  currency: string;
  suspendedAt: Date | null;
};

/** A time during which an account was suspended; open (null) while it still is. */
export type Suspension = { from: Date; to: Date | null };

/** What an account or its work may want to do, and whether it may while suspended. */
export const activities = {
  /** Any request with a bearer token. */
  call_api: { whileSuspended: false },
  sign_in: { whileSuspended: true },
  look: { whileSuspended: true },
  /** Any change of a member in the web interface. */
  change: { whileSuspended: false },
  identify: { whileSuspended: false },
  look_up_prices: { whileSuspended: false },
  publish: { whileSuspended: false },
  read_marketplace: { whileSuspended: true },
  withdraw: { whileSuspended: true },
  deliver: { whileSuspended: true },
} as const satisfies Record<string, { whileSuspended: boolean }>;

export type Activity = keyof typeof activities;

export function mayDo(account: Pick<AccountState, "suspendedAt">, activity: Activity): boolean {
  return account.suspendedAt === null || activities[activity].whileSuspended;
}

/** @throws VaultError `account_suspended` for what a suspended account may not do. */
export function requireMayDo(account: Pick<AccountState, "suspendedAt">, activity: Activity): void {
  if (!mayDo(account, activity)) throw new VaultError("account_suspended");
}

/**
 * Suspends an account.
 * @throws VaultError `invalid_transition` where it is suspended already.
 */
export function suspendAccount(account: AccountState, now: Date): Outcome<AccountState> {
  if (account.suspendedAt !== null) {
    throw new VaultError("invalid_transition", { message: "The account is suspended already." });
  }
  return outcomeOf(account, { ...account, suspendedAt: now });
}

/**
 * Restores a suspended account.
 * @throws VaultError `invalid_transition` where it is not suspended.
 */
export function restoreAccount(account: AccountState): Outcome<AccountState> {
  if (account.suspendedAt === null) {
    throw new VaultError("invalid_transition", { message: "The account is not suspended." });
  }
  return outcomeOf(account, { ...account, suspendedAt: null });
}

/**
 * How long a clock of suspended work has run between two moments, in milliseconds: it stands still
 * while the account is suspended.
 * @param suspensions in any order, not overlapping
 */
export function runningMs(from: Date, to: Date, suspensions: readonly Suspension[]): number {
  const stoodStillMs = suspensions.reduce((sum, suspension) => {
    const begin = Math.max(from.getTime(), suspension.from.getTime());
    const end = Math.min(to.getTime(), suspension.to?.getTime() ?? Infinity);
    return sum + Math.max(0, end - begin);
  }, 0);
  return Math.max(0, to.getTime() - from.getTime() - stoodStillMs);
}
