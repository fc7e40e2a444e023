import type { PackedIds } from "@cardvault/contract";
import type { CardOrder } from "./card-order.ts";

/** What lies behind the parts that came whole: blocks of as many ids each, as far as they have come. */
export interface FarBlocks {
  readonly size: number;
  /** Ids of all the blocks together. */
  readonly count: number;
  at(block: number): PackedIds | undefined;
  need(block: number): void;
}

const noFar: FarBlocks = { size: 1, count: 0, at: () => undefined, need: () => undefined };

/** Where a place lies: in which part, and at which place of it. */
function locate(parts: readonly PackedIds[], index: number): [number, number] {
  let place = index;
  for (const [number, { length }] of parts.entries()) {
    if (place < length) return [number, place];
    place -= length;
  }
  return [parts.length, place];
}

/** One order of parts that came whole and of blocks behind them. */
export function joined(parts: readonly PackedIds[], far: FarBlocks = noFar): CardOrder {
  const near = parts.reduce((sum, { length }) => sum + length, 0);
  const length = near + far.count;
  return {
    length,
    at(index) {
      if (index < 0 || index >= length) return undefined;
      const [number, place] = locate(parts, index);
      const part = parts[number];
      if (part !== undefined) return part.at(place);
      const block = far.at(Math.floor(place / far.size));
      const inBlock = place % far.size;
      return block === undefined || inBlock >= block.length ? undefined : block.at(inBlock);
    },
    slice(start, end) {
      if (start < 0 || start >= length) return "";
      const [number, place] = locate(parts, start);
      const wanted = end - start;
      // A window is asked for within one part; it is so narrow that nobody misses what it leaves.
      const part = parts[number];
      if (part !== undefined) return part.slice(place, place + wanted);
      const inBlock = place % far.size;
      return far.at(Math.floor(place / far.size))?.slice(inBlock, inBlock + wanted) ?? "";
    },
    indexOf(id) {
      let before = 0;
      for (const part of parts) {
        const place = part.indexOf(id);
        if (place >= 0) return before + place;
        before += part.length;
      }
      return -1;
    },
    need(start, end) {
      if (end <= near) return;
      const first = Math.floor(Math.max(0, start - near) / far.size);
      const last = Math.floor((Math.min(end, length) - 1 - near) / far.size);
      for (let block = first; block <= last; block += 1) far.need(block);
    },
  };
}
