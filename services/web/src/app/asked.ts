import { useEffect } from "react";

/** A dialog of a page that somebody wants who is elsewhere. */
export type Asked = "record_sale" | "new_key" | "new_endpoint" | "invite" | "place_labels";

let asked: Asked | null = null;
const listeners = new Set<() => void>();

/** What the page that is gone to next begins with; null for nothing but itself. */
export function askFor(what: Asked | null): void {
  asked = what;
  for (const listener of listeners) listener();
}

/** Begins it once, whether the page was there already or its code had to come first. */
export function useAsked(what: Asked, begin: () => void): void {
  useEffect(() => {
    function take(): void {
      if (asked !== what) return;
      asked = null;
      begin();
    }
    take();
    listeners.add(take);
    return () => void listeners.delete(take);
  });
}
