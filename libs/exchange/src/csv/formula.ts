/**
 * A spreadsheet runs a cell that begins with one of these as a formula (OWASP, CSV injection). Such
 * a cell is written with an apostrophe before it, and so is one whose own apostrophes stand before
 * one: then nothing is lost, and our own import takes exactly one away again.
 */
const risky = /^'*[=+\-@\t\r\n＝＋－＠]/u;
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/u;

/** A cell that no spreadsheet runs. */
function neutralised(cell: string): string {
  return risky.test(cell) ? `'${cell}` : cell;
}

/** The cell as it was before {@link neutralised}. */
export function withoutGuard(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}

/** A text, or digits that we have made: below zero they begin with a minus, and are to stay a number. */
export type CsvCell = string | { readonly digits: string };

/** One line of CSV, its formulas neutralised, with CRLF (RFC 4180). */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(given: CsvCell): string {
  if (typeof given !== "string") return given.digits;
  const cell = neutralised(given);
  // White space at the edges is quoted too: some readers would trim it.
  return /[",\r\n;\t|]|^\s|\s$/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
