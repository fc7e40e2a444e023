import { useSyncExternalStore } from "react";

/** Whether a call was refused because nobody is signed in any more; what was typed stays on the page. */
let hasEnded = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (hasEnded === value) return;
  hasEnded = value;
  for (const listener of listeners) listener();
}

export function noteSessionEnded(): void {
  set(true);
}

export function noteSignedIn(): void {
  set(false);
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
