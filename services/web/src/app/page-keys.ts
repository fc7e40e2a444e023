import { useEffect, useSyncExternalStore } from "react";

/** Keys that do something on the page that is shown, in the order in which `?` lists them. */
export type PageKeys = readonly { keys: readonly string[]; words: string }[];

let shown: PageKeys = [];
const listeners = new Set<() => void>();

function set(keys: PageKeys): void {
  shown = keys;
  for (const listener of listeners) listener();
}

/** Has `?` list the keys of a page while it is shown. @param keys a constant of the page's file */
export function usePageKeys(keys: PageKeys): void {
  useEffect(() => {
    set(keys);
    return () => set([]);
  }, [keys]);
}

export function useShownKeys(): PageKeys {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
