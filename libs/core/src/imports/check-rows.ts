import { card as wholeCard, cardCreateInput } from "@cardvault/contract";
import type { ImportMapping, ImportMatch, ImportSettings } from "@cardvault/contract";
import type { CheckedRow, ImportReading, ImportRowProblem } from "@cardvault/db";
import { mapRow } from "@cardvault/exchange";
import type { CsvRow, MappedCard, RowProblem } from "@cardvault/exchange";

/** How the rows of one import are read and judged. */
export interface CheckPlan {
  reading: ImportReading;
  mapping: ImportMapping;
  settings: ImportSettings;
  /** ISO 4217, the account's. */
  currency: string;
}

/** A row that may become a card, or why it may not. What it is a duplicate of is found out later. */
export interface JudgedRow extends CheckedRow {
  fields: MappedCard & Record<string, unknown>;
}

/** Reads a row as a card, and holds it against what a new card may be. */
export function judgeRow(
  csv: CsvRow,
  { reading, mapping, settings, currency }: CheckPlan,
): JudgedRow {
  const judged = {
    row: csv.row,
    fields: {},
    problems: [],
    matchedBy: null,
    sameAsRow: null,
    cardId: null,
  };
  const named = (problem: RowProblem): ImportRowProblem => ({
    column: problem.column === null ? null : headerOf(reading, problem.column - 1),
    message: problem.message,
  });
  if (csv.problem !== undefined) {
    return { ...judged, verdict: "invalid", problems: [named(csv.problem)] };
  }
  const { card, problems, isIgnored } = mapRow(csv.cells, {
    mapping,
    width: reading.headers.length,
    isOwn: reading.layout === "cardvault",
    currency,
    foreignPrices: settings.foreign_prices,
  });
  if (isIgnored) return { ...judged, fields: { ...card }, verdict: "ignored" };
  const all = [
    ...problems.map(named),
    ...(problems.length > 0 ? [] : formProblems(card, reading, mapping)),
  ];
  return {
    ...judged,
    fields: all.length === 0 ? { ...card } : storable(card),
    problems: all,
    verdict: all.length === 0 ? "valid" : "invalid",
  };
}

function headerOf({ headers }: ImportReading, index: number): string {
  return headers[index] ?? `Column ${index + 1}`;
}

/** What the form of a new card forbids, at the column that says it. */
function formProblems(
  card: MappedCard,
  reading: ImportReading,
  mapping: ImportMapping,
): ImportRowProblem[] {
  const { card_id: _id, market_price: marketPrice, workflow_status: _stage, ...fields } = card;
  if (Object.keys(fields).length === 0) {
    return [{ column: null, message: "The row says nothing of a card." }];
  }
  const price = wholeCard.shape.market_price.safeParse(marketPrice ?? null);
  const marketIssues = (price.error?.issues ?? []).map(({ path, message }) => ({
    path: ["market_price", ...path],
    message,
  }));
  const issues = [...(cardCreateInput.safeParse(fields).error?.issues ?? []), ...marketIssues];
  return issues.map(({ path, message }) => {
    const name = String(path[0] ?? "");
    const column = mapping.columns.find(({ field }) => field === name)?.column;
    return {
      column: column === undefined ? null : headerOf(reading, column),
      message: `${path.join(".")}: ${message}`,
    };
  });
}

/** What of an invalid row can be kept and shown. */
function storable(card: MappedCard): JudgedRow["fields"] {
  const text = JSON.stringify(card).toWellFormed().replaceAll("\\u0000", "\uFFFD");
  return JSON.parse(text.replaceAll(/\\ud[89a-f][0-9a-f]{2}/giu, "\uFFFD")) as JudgedRow["fields"];
}

/** A row that is found to be a card, or to repeat an earlier row. */
export function asDuplicate(
  row: JudgedRow,
  found: { cardId: string | null; by: "card_id" | ImportMatch; sameAsRow: number | null },
): JudgedRow {
  return {
    ...row,
    // What names its card by id is meant to change it.
    verdict: found.by === "card_id" ? "valid" : "duplicate",
    matchedBy: found.by,
    cardId: found.cardId,
    sameAsRow: found.sameAsRow,
  };
}
