import { loadCode } from "../../app/load-code.ts";

/** Cells as spreadsheets take and give them: tab-separated, quoted where a cell has a tab or a break. */
export function textOfCells(cells: readonly (readonly string[])[]): string {
  return cells
    .map((row) =>
      row
        .map((cell) => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join("\t"),
    )
    .join("\n");
}

/** Loads what reads the clipboard, so that the first paste need not wait for it. */
export async function prepareToPaste(): Promise<void> {
  await import("papaparse").catch(() => undefined);
}

/** What was copied in a spreadsheet, by rows. @throws CodeMissing */
export async function cellsOfText(text: string): Promise<string[][]> {
  const { default: Papa } = await loadCode(() => import("papaparse"));
  const { data } = Papa.parse<string[]>(text, { delimiter: "\t", skipEmptyLines: false });
  const last = data.at(-1);
  // The break behind the last row is no row.
  return last !== undefined && last.length === 1 && last[0] === "" && data.length > 1
    ? data.slice(0, -1)
    : data;
}
