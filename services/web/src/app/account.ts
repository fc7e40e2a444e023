import { useSyncExternalStore } from "react";

/**
 * Which account this tab is in. Two tabs may be in two accounts, so the answer lives in the tab's
 * own storage; the browser's storage only tells a new tab which account was worked in last.
 */
const storageKey = "vault.account";

let current: string | null = read(() => sessionStorage);
const listeners = new Set<() => void>();

function read(storage: () => Storage): string | null {
  try {
    return storage().getItem(storageKey);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, id: string): void {
  try {
    storage().setItem(storageKey, id);
  } catch {
    // A browser that forbids storage forgets the account at the next load, and nothing else.
  }
}

/** The account that this tab's requests name; null before one is chosen. */
export function currentAccountId(): string | null {
  return current;
}

/** Where a tab without an account of its own begins. */
export function lastAccountId(): string | null {
  return current ?? read(() => localStorage);
}

export function chooseAccount(id: string): void {
  current = id;
  write(() => sessionStorage, id);
  write(() => localStorage, id);
  for (const listener of listeners) listener();
}

export function useAccountId(): string | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentAccountId);
}

// The tab that one turns to is the one that a new tab should follow.
window.addEventListener("focus", () => {
  if (current !== null) write(() => localStorage, current);
});
