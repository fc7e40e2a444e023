import { useSyncExternalStore } from "react";

const tickMs = 5_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** One timer for every time on the page. */
function subscribe(listener: () => void): () => void {
  // Nobody watched for a while, so the last tick may be long ago.
  if (listeners.size === 0) now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const steps = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Number.POSITIVE_INFINITY],
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

/** `3 minutes ago`, `in 2 hours`, `yesterday`. */
function relativeWords(moment: number, at: number): string {
  let value = (moment - at) / 1000;
  if (Math.abs(value) < 20) return "just now";
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit);
    value /= size;
  }
  return exact.format(moment);
}

/** The same for cells of which a screen has many: as of now, and it does not change by itself. */
export function momentWords(at: string): { words: string; exact: string } {
  const moment = Date.parse(at);
  return { words: relativeWords(moment, Date.now()), exact: exact.format(moment) };
}

/** Whether a moment has come; changes by itself when it comes. */
export function useHasCome(at: string | null): boolean {
  return useSyncExternalStore(subscribe, () => at !== null && Date.parse(at) <= now);
}

/** A moment relative to now, with the exact one on hover. */
export function RelativeTime({ at }: { at: string }) {
  const moment = Date.parse(at);
  // The words are the snapshot: a tick that does not change them renders nothing.
  const words = useSyncExternalStore(subscribe, () => relativeWords(moment, now));
  return (
    <time dateTime={at} title={exact.format(moment)}>
      {words}
    </time>
  );
}
