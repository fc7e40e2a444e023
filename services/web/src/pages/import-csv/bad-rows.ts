import type { CardImport, ImportRow } from "@cardvault/contract";
import Papa from "papaparse";
import { trpcClient } from "../../app/trpc.ts";
import { keptFiles } from "../import/kept-files.ts";
import { listKey } from "./upload-list.ts";

const pageSize = 200;
/**
 * What a spreadsheet runs as a formula: such a cell gets an apostrophe before it, as in every list that the
 * service writes. Digits with a sign are a number and stay one.
 */
const formula = /^(?![+-][\d.,]+$)[=+\-@\t\r\n＝＋－＠]/u;
const rowColumn = "Row";
const problemColumn = "Problem";

/**
 * Saves the rows that could not be imported, each with what is wrong with it: as they stood in the list
 * where this browser has it, else as far as they were read. Corrected, it can be imported again.
 */
export async function downloadBadRows(list: CardImport): Promise<void> {
  const bad = await badRows(list);
  const original = (await keptFiles(list.id)).find(({ sha256 }) => sha256 === listKey);
  const table = original === undefined ? asRead(bad) : await asWritten(list, bad, original.file);
  const name = `${list.file_name.replace(/\.[a-z]+$/i, "")}-bad-rows.csv`;
  // The mark tells a spreadsheet that it is UTF-8.
  const text = Papa.unparse(table, { escapeFormulae: formula });
  save(new Blob([`\uFEFF${text}`], { type: "text/csv" }), name);
}

async function badRows(list: CardImport): Promise<ImportRow[]> {
  const of = [{ verdict: "invalid" }, { outcome: "failed" }] as const;
  const found = new Map<number, ImportRow>();
  for (const only of of) {
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: { data: ImportRow[]; has_more: boolean } = await trpcClient.imports.rows.query({
        id: list.id,
        ...only,
        after_row: after,
        limit: pageSize,
      });
      for (const row of page.data) found.set(row.row, row);
      after = page.has_more ? page.data.at(-1)?.row : undefined;
    }
  }
  return [...found.values()].toSorted((left, right) => left.row - right.row);
}

type Table = { fields: string[]; data: string[][] };

function asWritten(list: CardImport, bad: readonly ImportRow[], file: Blob): Promise<Table> {
  const wanted = new Map(bad.map((row) => [row.row, row]));
  const data: string[][] = [];
  let at = 0;
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(new File([file], list.file_name), {
      delimiter: list.delimiter ?? ",",
      encoding: list.encoding ?? "utf-8",
      step({ data: cells }) {
        at += 1;
        const row = wanted.get(at);
        if (row === undefined) return;
        const whole = list.headers.map((_, column) => cells[column] ?? "");
        data.push([...whole, String(row.row), problemsOf(row)]);
      },
      complete: () => resolve({ fields: [...list.headers, rowColumn, problemColumn], data }),
      error: reject,
    });
  });
}

function asRead(bad: readonly ImportRow[]): Table {
  const fields = [...new Set(bad.flatMap((row) => Object.keys(row.fields)))];
  const data = bad.map((row) => [
    ...fields.map((name) => textOf(row.fields[name])),
    String(row.row),
    problemsOf(row),
  ]);
  return { fields: [...fields, rowColumn, problemColumn], data };
}

function problemsOf({ problems }: ImportRow): string {
  return problems
    .map(({ column, message }) => (column === null ? message : `${column}: ${message}`))
    .join("; ");
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
