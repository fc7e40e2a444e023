import { parse } from "csv-parse/sync";
import { createDecoder } from "./encoding.ts";
import type { Encoding } from "./encoding.ts";
import { maxRecordChars, RecordSplitter } from "./record-splitter.ts";
import type { RawRecord } from "./record-splitter.ts";

/** How a file is to be read. */
export interface CsvFormat {
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/** A row as it stands in the file, or why it cannot be read. */
export interface CsvRow {
  /** As a spreadsheet counts it, the first is 1. */
  readonly row: number;
  readonly cells: readonly string[];
  /** The byte of the file at which the next row begins: reading can go on there. */
  readonly end: number;
  readonly problem?: RowProblem | undefined;
}

/** What is wrong with a row, as a sentence, and at which column (the first is 1) where that is known. */
export interface RowProblem {
  readonly column: number | null;
  readonly message: string;
}

const batchSize = 500;

const problems: Readonly<Record<NonNullable<RawRecord["problem"]>, string>> = {
  too_long: `The row is longer than ${maxRecordChars.toLocaleString("en")} characters.`,
  quote_not_closed: "A quotation mark that opens here is never closed.",
};

/**
 * Reads rows from the bytes of a file, from any row's beginning on, and holds a bounded piece of it.
 * Blank lines count as rows and are left out. Nothing throws: what cannot be read is a row with its
 * problem.
 */
export class CsvReader {
  readonly #decoder: TextDecoder;
  readonly #splitter: RecordSplitter;
  readonly #delimiter: string;

  constructor({ encoding, delimiter }: CsvFormat, start: { offset: number; row: number }) {
    this.#decoder = createDecoder(encoding);
    this.#splitter = new RecordSplitter(delimiter, encoding, start);
    this.#delimiter = delimiter;
  }

  push(bytes: Uint8Array): Generator<CsvRow> {
    return this.#rowsOf(this.#splitter.push(this.#decoder.decode(bytes, { stream: true })));
  }

  *end(): Generator<CsvRow> {
    yield* this.#rowsOf(this.#splitter.push(this.#decoder.decode()));
    yield* this.#rowsOf(this.#splitter.end());
  }

  *#rowsOf(records: Iterable<RawRecord>): Generator<CsvRow> {
    let batch: RawRecord[] = [];
    for (const record of records) {
      batch.push(record);
      if (batch.length < batchSize) continue;
      yield* parseBatch(batch, this.#delimiter);
      batch = [];
    }
    yield* parseBatch(batch, this.#delimiter);
  }
}

function* parseBatch(batch: readonly RawRecord[], delimiter: string): Generator<CsvRow> {
  const readable = batch.filter(({ problem, text }) => problem === undefined && text.trim() !== "");
  const cells = takeApart(readable, delimiter);
  for (const record of batch) {
    const { row, end, problem, column = null } = record;
    if (problem !== undefined) {
      yield { row, cells: [], end, problem: { column, message: problems[problem] } };
    } else {
      const found = cells.get(record);
      if (found !== undefined) yield { row, end, ...found };
    }
  }
}

type Taken = Pick<CsvRow, "cells" | "problem">;

function takeApart(records: readonly RawRecord[], delimiter: string): Map<RawRecord, Taken> {
  const together = cellsOf(records.map(({ text }) => text).join("\n"), delimiter);
  if (together?.length === records.length) {
    return new Map(records.map((record, index) => [record, { cells: together[index] ?? [] }]));
  }
  // Where the two do not agree about a row, the others shall not suffer.
  return new Map(
    records.map((record) => {
      const alone = cellsOf(record.text, delimiter);
      const cells = alone?.length === 1 ? alone[0] : undefined;
      const problem = { column: null, message: "The quotation marks of the row do not match." };
      return [record, cells === undefined ? { cells: [], problem } : { cells }];
    }),
  );
}

function cellsOf(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: "\n",
      relax_quotes: true,
      relax_column_count: true,
    });
  } catch {
    return undefined;
  }
}
