import type { ImportField, ImportMapping, ImportSettings } from "@cardvault/contract";
import type { RowProblem } from "./csv/csv-reader.ts";
import { withoutGuard } from "./csv/formula.ts";
import { fieldReaders } from "./field-readers.ts";
import type { RowDraft } from "./field-readers.ts";
import type { MappedCard, MappedRow } from "./mapped-row.ts";

/** What the rows of one list have in common. */
export interface RowPlan {
  readonly mapping: ImportMapping;
  /** How many columns the list has; a row with filled cells behind them is ragged. */
  readonly width: number;
  /** Our own export: texts stand exactly as they were, and formulas have a guard. */
  readonly isOwn: boolean;
  /** ISO 4217, the account's. */
  readonly currency: string;
  readonly foreignPrices: ImportSettings["foreign_prices"];
}

/** A row of a list as a card, by the list's mapping. What a cell says wrongly is a problem with its column. */
export function mapRow(cells: readonly string[], plan: RowPlan): MappedRow {
  if (cells.every((cell) => cell.trim() === "")) return { card: {}, problems: [], isIgnored: true };
  const problems: RowProblem[] = [];
  const draft: RowDraft = { card: {}, plan, extra: {} };
  for (const { text, field, name, column } of valuesOf(cells, plan)) {
    const storable = storableText(text);
    const problem = storable ?? fieldReaders[field](text, draft, name ?? "");
    if (problem !== undefined) problems.push({ column, message: problem });
  }
  problems.push(...finish(draft, plan), ...raggedness(cells, plan));
  // In the order of the list, and what the row as a whole says last.
  const last = Number.MAX_SAFE_INTEGER;
  problems.sort((a, b) => (a.column ?? last) - (b.column ?? last));
  return { card: draft.card, problems, isIgnored: isOutOfStock(draft, plan) };
}

interface Value {
  text: string;
  field: ImportField;
  name?: string | undefined;
  column: number | null;
}

/** The currency comes first, because the prices need it; constants stand where the cell is blank. */
function valuesOf(cells: readonly string[], { mapping, isOwn }: RowPlan): Value[] {
  const values: Value[] = [];
  const filled = new Set<ImportField>();
  for (const { column, field, name } of mapping.columns) {
    const cell = cells[column] ?? "";
    const text = isOwn ? withoutGuard(cell) : cell.trim();
    if (text === "") continue;
    filled.add(field);
    values.push({ text, field, name, column: column + 1 });
  }
  for (const [field, text] of Object.entries(mapping.constants) as [ImportField, string][]) {
    if (!filled.has(field)) values.push({ text, field, column: null });
  }
  return values.toSorted((a, b) => order(a.field) - order(b.field));
}

function order(field: ImportField): number {
  if (field === "price_currency" || field === "market_price_currency") return 0;
  return field === "condition" ? 2 : 1;
}

function storableText(text: string): string | undefined {
  if (text.includes("\u0000")) return "The cell holds a NUL character, which no text may.";
  if (!text.isWellFormed()) return "The cell holds half of a character.";
  return undefined;
}

/** What only the row as a whole says. */
function finish({ card, extra }: RowDraft, { mapping }: RowPlan): RowProblem[] {
  const problems: RowProblem[] = [];
  if (extra.added !== undefined) card.quantity = (card.quantity ?? 0) + extra.added;
  if (card.title === undefined && mapping.compose_title) {
    const title = composedTitle(card);
    if (title !== "") card.title = title;
  }
  const { grader, grade, certNumber, qualifier } = extra;
  if (grader !== undefined || grade !== undefined) {
    if (grader === undefined || grade === undefined) {
      const message = "A grading has a company and a grade.";
      problems.push({ column: null, message });
    } else {
      card.grading = { grader, grade, cert_number: null, qualifier: null };
    }
  }
  if (card.grading) {
    if (certNumber !== undefined) card.grading.cert_number = certNumber;
    if (qualifier !== undefined) card.grading.qualifier = qualifier;
    // A graded card has no condition of its own; tools that have one column for both repeat it.
    delete card.condition;
  } else if (certNumber !== undefined) {
    problems.push({ column: null, message: "A certificate number needs a grading company." });
  }
  return problems;
}

/** As a dealer would write it: year, maker, set, name, number, variant. */
function composedTitle(card: MappedCard): string {
  const { year, manufacturer, set, subject, number, variant } = card;
  const year4 = year == null ? "" : String(year);
  // "2023 Harbour Chrome" by Harbour: what stands before it need not be said twice.
  const setName = [year4, manufacturer ?? ""].reduce(withoutStart, set ?? "");
  return [
    year4,
    manufacturer,
    setName === manufacturer ? "" : setName,
    subject,
    number == null ? "" : `#${number}`,
    variant,
  ]
    .filter((part) => part != null && part !== "")
    .join(" ")
    .slice(0, 200)
    .trim();
}

function withoutStart(text: string, start: string): string {
  const isSaid = start !== "" && text.toLowerCase().startsWith(`${start.toLowerCase()} `);
  return isSaid ? text.slice(start.length).trim() : text;
}

function raggedness(cells: readonly string[], { width }: RowPlan): RowProblem[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== "");
  if (last < width) return [];
  const message = `The row has ${last + 1} cells, the list has ${width} columns.`;
  return [{ column: last + 1, message }];
}

function isOutOfStock({ card }: RowDraft, { mapping }: RowPlan): boolean {
  return mapping.skip_out_of_stock && card.quantity === 0;
}
