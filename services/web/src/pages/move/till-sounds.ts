import { useEffect, useRef } from "react";
import { play } from "./sounds.ts";
import type { LineState, TillLine } from "./till.ts";

const bad: readonly LineState[] = ["unknown", "choose", "failed"];
const good: readonly LineState[] = ["ready", "sold"];

/** A line that comes to stand otherwise is heard; those that stood there before are not. */
export function useTillSounds(lines: readonly TillLine[]): void {
  const before = useRef<ReadonlyMap<string, LineState> | null>(null);
  useEffect(() => {
    const known = before.current;
    before.current = new Map(lines.map(({ id, state }) => [id, state]));
    if (known === null) return;
    const changed = lines.filter(({ id, state }) => known.get(id) !== state);
    if (changed.some(({ state }) => bad.includes(state))) play("bad");
    else if (changed.some(({ state }) => good.includes(state))) play("good");
  }, [lines]);
}
