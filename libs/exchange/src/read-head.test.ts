import { describe, expect, test } from "vitest";
import { readHead } from "./read-head.ts";

const head = (text: string) => readHead(Buffer.from(text), "utf-8");
const meanings = (text: string) =>
  head(text)?.mapping.columns.map(({ column, field }) => [column, field]);

describe("delimiters", () => {
  test.each([",", ";", "\t", "|"])("%j is found out", (delimiter) => {
    const text =
      ["Name", "Price", "Qty"].join(delimiter) + "\n" + ['"A, B"', "1,50", "2"].join(delimiter);
    expect(head(text)?.delimiter).toBe(delimiter);
  });

  test("Excel's sep line says it, and is no row of the list", () => {
    const found = head("sep=;\nName;Price\nSerpent;1,50\n");
    expect(found).toMatchObject({ delimiter: ";", headerRow: 2, start: { row: 3 } });
    expect(found?.sample[0]).toMatchObject({ row: 3, cells: ["Serpent", "1,50"] });
  });

  test("a comma within cells does not win over semicolons between them", () => {
    const rows = Array.from({ length: 9 }, (_, index) => `Serpent ${index};1,25;A`).join("\n");
    expect(head(`Name;Preis;Ort\n${rows}`)?.delimiter).toBe(";");
  });
});

describe("headers", () => {
  test("repeated and empty ones get names of their own", () => {
    expect(head("Name,,Name,Price,\nA,b,C,1,\n")?.headers).toEqual([
      "Name",
      "Column B",
      "Name (2)",
      "Price",
      "Column E",
    ]);
  });

  test("a line before them is passed over", () => {
    const found = head("My shop,,\n,,\nCard Name,Set,Qty\nSerpent,Storm,1\n");
    expect(found).toMatchObject({ headerRow: 3, headers: ["Card Name", "Set", "Qty"] });
  });

  test("a list without them is named by letters, and nothing is guessed", () => {
    const found = head("Charged Serpent,12,4.50\nGlass Fox,3,1.25\n");
    expect(found).toMatchObject({
      headerRow: null,
      headers: ["Column A", "Column B", "Column C"],
      start: { offset: 0, row: 1 },
      mapping: { columns: [] },
    });
  });

  test("a single column and an empty file", () => {
    expect(meanings("Card name\nSerpent\n")).toEqual([[0, "title"]]);
    expect(head("")).toBeUndefined();
    expect(head("\n\n \r\n")).toBeUndefined();
    expect(head("\uFEFF")).toBeUndefined();
  });

  test("the signature is of the headers, whatever their case", () => {
    expect(head("Name,Qty\nA,1")?.signature).toBe(head("NAME, qty \nB,2")?.signature);
    expect(head("Name,Qty\nA,1")?.signature).not.toBe(head("Qty,Name\n1,A")?.signature);
  });
});

test("what people call their columns is guessed, and each meaning is given once", () => {
  expect(meanings("Player,Brand,Season,Card #,Price Paid,Asking,Qty,Box,Comments\n")).toEqual([
    [0, "subject"],
    [1, "manufacturer"],
    [2, "year"],
    [3, "number"],
    [4, "purchase_price"],
    [6, "quantity"],
    [7, "location"],
    [8, "notes"],
  ]);
  expect(head('Name,Price\nA,"1.234,50"\nB,"2,5"\n')?.mapping.decimal).toBe(",");
  expect(meanings("constructor,__proto__,Name,Price\n")).toEqual([
    [2, "title"],
    [3, "asking_price"],
  ]);
});
