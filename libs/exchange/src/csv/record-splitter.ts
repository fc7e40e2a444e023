import { byteLength } from "./encoding.ts";
import type { Encoding } from "./encoding.ts";

/** A record is never held longer than that. The longest text of a card has 10,000 characters. */
export const maxRecordChars = 256 * 1024;

/** One record of the file as text, without the end of its line; or why it is none. */
export interface RawRecord {
  /** As a spreadsheet counts: blank lines too, the first is 1. */
  readonly row: number;
  readonly text: string;
  /** The byte of the file at which the next record begins. */
  readonly end: number;
  readonly problem?: "too_long" | "quote_not_closed" | undefined;
  /** The column of the cell that is at fault, the first is 1. */
  readonly column?: number | undefined;
}

export interface SplitterStart {
  /** The byte of the file at which the first text begins. */
  readonly offset: number;
  /** The number of the first row. */
  readonly row: number;
}

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/** `start`: at the beginning of a cell. `closed`: behind a quote that may close the cell. */
type Cell = "start" | "plain" | "quoted" | "closed";

/**
 * Finds where records begin and end in a text that comes in pieces, by the rules by which csv-parse
 * then takes them apart (RFC 4180, and a stray quote is a character), and holds one record at a time.
 *
 * A quote that nobody closes would swallow the rest of the file. It costs its own line instead: where
 * a quoted cell runs over several lines and then does not end as one, or never ends, only the first
 * line is given up, and the reading goes on behind it.
 */
export class RecordSplitter {
  readonly #delimiter: number;
  readonly #encoding: Encoding;
  #text = "";
  /** Characters before it have been looked at. */
  #at = 0;
  #row: number;
  #offset: number;
  #cell: Cell = "start";
  #column = 1;
  /** Where the first line of the present record ends and the second begins, if it has one. */
  #firstLine: { end: number; next: number } | undefined;
  /** The rest of a line that is too long is passed over. */
  #isPassing = false;

  constructor(delimiter: string, encoding: Encoding, start: SplitterStart) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#encoding = encoding;
    this.#offset = start.offset;
    this.#row = start.row;
  }

  *push(text: string): Generator<RawRecord> {
    this.#text += text;
    yield* this.#scan(false);
  }

  /** What is left when the file ends. */
  *end(): Generator<RawRecord> {
    yield* this.#scan(true);
    while (this.#cell === "quoted" && !this.#isPassing) {
      yield this.#giveUpFirstLine();
      yield* this.#scan(true);
    }
    if (this.#text !== "" || this.#isPassing)
      yield this.#take(this.#text.length, this.#text.length);
  }

  *#scan(isEnd: boolean): Generator<RawRecord> {
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at);
      const isLineEnd = code === lineFeed || code === carriageReturn;
      // Whether a carriage return stands alone is only known with the next character.
      if (code === carriageReturn && !isEnd && this.#at + 1 === this.#text.length) return;
      if (isLineEnd) {
        const record = this.#lineEnd();
        if (record !== undefined) yield record;
        continue;
      }
      if (!this.#isPassing) {
        if (this.#cell === "closed" && code !== quote && code !== this.#delimiter) {
          if (this.#firstLine !== undefined) {
            yield this.#giveUpFirstLine();
            continue;
          }
          this.#cell = "plain";
        }
        this.#step(code);
      }
      this.#at += 1;
      if (this.#at >= maxRecordChars && !this.#isPassing) {
        if (this.#firstLine === undefined) this.#isPassing = true;
        else yield this.#giveUpFirstLine();
      }
      if (this.#isPassing) this.#forget();
    }
  }

  #step(code: number): void {
    if (this.#cell === "quoted") {
      if (code === quote) this.#cell = "closed";
    } else if (this.#cell === "closed" && code === quote) {
      this.#cell = "quoted";
    } else if (code === this.#delimiter) {
      this.#cell = "start";
      this.#column += 1;
    } else {
      this.#cell = this.#cell === "start" && code === quote ? "quoted" : "plain";
    }
  }

  #lineEnd(): RawRecord | undefined {
    const end = this.#at;
    const isPair =
      this.#text.charCodeAt(end) === carriageReturn && this.#text.charCodeAt(end + 1) === lineFeed;
    const next = end + (isPair ? 2 : 1);
    if (this.#cell === "quoted" && !this.#isPassing) {
      this.#firstLine ??= { end, next };
      this.#at = next;
      return undefined;
    }
    return this.#take(end, next);
  }

  #giveUpFirstLine(): RawRecord {
    const column = this.#column;
    const { end, next } = this.#firstLine ?? { end: this.#text.length, next: this.#text.length };
    const isOneLine = this.#firstLine === undefined;
    const record = this.#take(end, next);
    const problem =
      isOneLine || record.text.length < maxRecordChars ? "quote_not_closed" : "too_long";
    return { ...record, problem, column };
  }

  /** The record up to `end`; the next one begins at `next`. */
  #take(end: number, next: number): RawRecord {
    const text = this.#text.slice(0, end);
    this.#offset += byteLength(this.#text.slice(0, next), this.#encoding);
    const record: RawRecord = this.#isPassing
      ? { row: this.#row, text: "", end: this.#offset, problem: "too_long", column: this.#column }
      : { row: this.#row, text, end: this.#offset };
    this.#text = this.#text.slice(next);
    this.#at = 0;
    this.#row += 1;
    this.#cell = "start";
    this.#column = 1;
    this.#firstLine = undefined;
    this.#isPassing = false;
    return record;
  }

  /** Lets go of what was passed over, so that a cell of any length costs no memory. */
  #forget(): void {
    if (this.#at < maxRecordChars) return;
    this.#offset += byteLength(this.#text.slice(0, this.#at), this.#encoding);
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
  }
}
