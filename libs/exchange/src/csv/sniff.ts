import { createDecoder, markLength } from "./encoding.ts";
import type { Encoding } from "./encoding.ts";
import { CsvReader } from "./csv-reader.ts";
import type { CsvRow } from "./csv-reader.ts";

/** In the order of preference where two fit equally well. */
const delimiters = [",", ";", "\t", "|"] as const;

/** What the head of a file says of the rest. */
export interface Sniffed {
  delimiter: string;
  /** The bytes at which the first row begins: behind the mark, and behind Excel's `sep=;`. */
  offset: number;
  /** The number of the first row, 2 where the first line was `sep=;`. */
  row: number;
  /** The first rows, problems left out. */
  rows: readonly CsvRow[];
}

const rowsToLookAt = 60;

/** Finds the delimiter, by the most columns that most rows agree about. */
export function sniff(head: Uint8Array, encoding: Encoding): Sniffed {
  const mark = markLength(encoding, head);
  const text = createDecoder(encoding).decode(head.subarray(mark), { stream: true });
  const declared = /^"?sep=([,;\t|])"?\r?\n/iu.exec(text);
  if (declared !== null) {
    const [line, delimiter = ","] = declared;
    const offset = mark + (encoding.startsWith("utf-16") ? line.length * 2 : line.length);
    return read(head, encoding, delimiter, { offset, row: 2 });
  }
  const tries = delimiters.map((delimiter) =>
    read(head, encoding, delimiter, { offset: mark, row: 1 }),
  );
  return tries.reduce((best, next) => (score(next) > score(best) ? next : best));
}

function read(
  head: Uint8Array,
  encoding: Encoding,
  delimiter: string,
  start: { offset: number; row: number },
): Sniffed {
  const reader = new CsvReader({ encoding, delimiter }, start);
  const rows: CsvRow[] = [];
  const bytes = head.subarray(start.offset);
  for (const part of [() => reader.push(bytes), () => reader.end()]) {
    for (const row of part()) {
      if (row.problem === undefined) rows.push(row);
      if (rows.length === rowsToLookAt) return { delimiter, ...start, rows };
    }
  }
  return { delimiter, ...start, rows };
}

/** How many rows have the width that most rows have; a file of one column says nothing. */
function score({ rows }: Sniffed): number {
  const widths = new Map<number, number>();
  for (const { cells } of rows) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  let best = 0;
  for (const [width, count] of widths) {
    if (width > 1) best = Math.max(best, (count / rows.length) * (1 + Math.log2(width)));
  }
  return best;
}
