import { columnLetter, headerSignature, namedHeaders } from "./csv/headers.ts";
import type { Encoding } from "./csv/encoding.ts";
import { sniff } from "./csv/sniff.ts";
import type { CsvRow } from "./csv/csv-reader.ts";
import { knownHeaders, proposeMapping } from "./propose-mapping.ts";
import type { ProposedMapping } from "./propose-mapping.ts";

/** So many bytes of a file are enough to know how it is to be read. */
export const headBytes = 256 * 1024;

/** What the head of a list says of how to read all of it. */
export interface ListHead extends ProposedMapping {
  delimiter: string;
  /** The row of the headers; null where there is none. */
  headerRow: number | null;
  headers: readonly string[];
  /** By which a mapping that was saved for these headers is found. */
  signature: string;
  /** Where the first row under the header begins. */
  start: { offset: number; row: number };
  /** The first rows under the header. */
  sample: readonly CsvRow[];
}

/** Headers stand among the first rows; eBay's template and some tools have a line before them. */
const rowsBeforeHeader = 5;
const sampleSize = 20;

/** @returns undefined for a file in which there is no row at all. */
export function readHead(head: Uint8Array, encoding: Encoding): ListHead | undefined {
  const { delimiter, offset, row, rows } = sniff(head, encoding);
  const [first] = rows;
  if (first === undefined) return undefined;
  const header = headerOf(rows);
  const body = header === undefined ? rows : rows.slice(rows.indexOf(header) + 1);
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const headers =
    header === undefined
      ? Array.from({ length: width }, (_, index) => `Column ${columnLetter(index)}`)
      : namedHeaders(header.cells);
  const sample = body.slice(0, sampleSize);
  return {
    delimiter,
    headerRow: header?.row ?? null,
    headers,
    signature: headerSignature(headers),
    start: header === undefined ? { offset, row } : { offset: header.end, row: header.row + 1 },
    sample,
    ...proposeMapping(
      headers,
      sample.map(({ cells }) => cells),
    ),
  };
}

/** The row with the most known headers; else the first, unless it looks like a row of the list. */
function headerOf(rows: readonly CsvRow[]): CsvRow | undefined {
  const candidates = rows
    .slice(0, rowsBeforeHeader)
    .map((row) => ({ row, known: knownHeaders(row.cells) }));
  const best = candidates.reduce((a, b) => (b.known > a.known ? b : a));
  if (best.known >= 2) return best.row;
  const [first] = rows;
  if (best.known === 1 && best.row === first) return first;
  const looksLikeData = first?.cells.some((cell) => /^[$€£]?\d+(?:[.,]\d+)?$/u.test(cell.trim()));
  return looksLikeData === true ? undefined : first;
}
