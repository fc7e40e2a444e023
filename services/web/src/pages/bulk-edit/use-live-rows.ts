import type { CardRow } from "@cardvault/contract";
import { useEffect, useRef } from "react";
import { onCardsChanged } from "../../app/live-cache.ts";
import { loadRows } from "./load-rows.ts";

/** A job tells of its cards many times a second; they are loaded when it rests. */
const restMs = 700;

/** Loads the rows again that somebody else, or a job, has changed. */
export function useLiveRows(
  rows: ReadonlyMap<string, CardRow>,
  onChanged: (latest: readonly CardRow[]) => void,
): void {
  const latest = useRef({ rows, onChanged });
  useEffect(() => {
    latest.current = { rows, onChanged };
  });
  useEffect(() => {
    const waiting = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function load(): Promise<void> {
      const ids = [...waiting];
      waiting.clear();
      const found: CardRow[] = [];
      await loadRows(ids, (some) => found.push(...some));
      const known = latest.current.rows;
      latest.current.onChanged(found.filter((row) => known.get(row.id)?.version !== row.version));
    }
    const stop = onCardsChanged((changed) => {
      const known = latest.current.rows;
      for (const id of changed === "all" ? known.keys() : changed) {
        if (known.has(id)) waiting.add(id);
      }
      if (waiting.size === 0) return;
      clearTimeout(timer);
      // Without an answer the rows stay as they were; a save of one that has changed is refused.
      timer = setTimeout(() => void load().catch(() => undefined), restMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
}
