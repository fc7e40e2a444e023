/** What a key opens at once from nearly every page, and nobody waits for when the first page is drawn. */
const opened = [() => import("./palette.tsx"), () => import("../pages/card/card.tsx")] as const;

const restMs = 2_000;

/** Loads them once the page rests. What cannot be had now is asked for when it is needed. @returns how to give up */
export function preloadWhatKeysOpen(): () => void {
  const timer = setTimeout(() => {
    for (const load of opened) void load().catch(() => undefined);
  }, restMs);
  return () => clearTimeout(timer);
}
