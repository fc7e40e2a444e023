import { useSyncExternalStore } from "react";

/** Whether a call was refused because nobody is signed in any more; what was typed stays on the page. */
let hasEnded = false;
const listeners = new Set<() => void>();
const returns = new Set<() => void>();

function set(value: boolean): void {
  if (hasEnded === value) return;
  hasEnded = value;
  for (const listener of listeners) listener();
}

export function noteSessionEnded(): void {
  set(true);
}

export function noteSignedIn(): void {
  const isAgain = hasEnded;
  set(false);
  if (isAgain) for (const listener of returns) listener();
}

/** Calls it each time that somebody has signed in again over the page. */
export function onReturn(listener: () => void): void {
  returns.add(listener);
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hasEnded,
  );
}
