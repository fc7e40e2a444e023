import type { CardRow } from "@cardvault/contract";
import { describe, expect, test } from "vitest";
import { fieldText, readField } from "../src/parts/card-fields-model.ts";
import { readAmount } from "../src/parts/card-fields-money.ts";
import { cellsOfText, textOfCells } from "../src/pages/bulk-edit/sheet-clipboard.ts";
import {
  emptySheet,
  noteChanged,
  patchesOf,
  redo,
  settle,
  undo,
  write,
} from "../src/pages/bulk-edit/sheet-state.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });

function rowOf(given: Partial<CardRow>): CardRow {
  return {
    id: "card_1",
    title: "Serpent",
    asking_price: usd(1250),
    quantity: 1,
    tags: [],
    condition: "near_mint",
    version: 3,
    ...given,
  } as CardRow;
}

describe("amounts are read as people and spreadsheets write them", () => {
  test.each([
    ["12", 1_200],
    ["12.5", 1_250],
    ["$12.50", 1_250],
    ["12 usd", 1_200],
    ["1,250", 125_000],
    ["1,250.5", 125_050],
    ["1.250,50", 125_050],
    ["1 250,00", 125_000],
    ["1'250.00", 125_000],
    ["1,234,567", 123_456_700],
  ])("%s", (typed, amount) => {
    expect(readAmount(typed, "USD", 1)).toEqual({ value: usd(amount) });
  });

  test.each(["a lot", "-1", "1.2.3x", "12.345.6,7,8", "12 EUR", "1.2345", "0.005", "0", ""])(
    "%j is refused",
    (typed) => {
      expect(readAmount(typed, "USD", 1).problem).toBeTypeOf("string");
    },
  );

  test("a currency without hundredths has no decimals", () => {
    expect(readAmount("1,250", "JPY", 1)).toEqual({ value: { amount: 1_250, currency: "JPY" } });
    expect(readAmount("12.5", "JPY", 1).problem).toBe("Without decimals");
  });
});

describe("what a cell shows is read back as what it was", () => {
  test.each([
    ["title", "Charged Serpent"],
    ["year", 2024],
    ["asking_price", usd(125_050)],
    ["is_rookie", true],
    ["condition", "lightly_played"],
    ["grading", { grader: "PSA", grade: "9", cert_number: "48213377", qualifier: "OC" }],
    ["grading", { grader: "BGS", grade: "9.5", cert_number: null, qualifier: null }],
    ["tags", ["binder", "show"]],
    ["quantity", 12],
  ] as const)("%s", (name, value) => {
    const text = fieldText(name, value as never);
    expect(readField(name, text, "USD")).toEqual({ value });
  });

  test.each([
    ["year", "99"],
    ["quantity", ""],
    ["condition", "shiny"],
    ["grading", "nine"],
    ["is_rookie", "perhaps"],
    ["sku", "x".repeat(51)],
  ] as const)("%s: %j says what would fit", (name, typed) => {
    expect(readField(name, typed, "USD").problem).toBeTypeOf("string");
  });

  test("short conditions of a spreadsheet are known", () => {
    expect(readField("condition", "NM", "USD")).toEqual({ value: "near_mint" });
    expect(readField("condition", "near mint", "USD")).toEqual({ value: "near_mint" });
  });
});

describe("the sheet", () => {
  const row = rowOf({});

  test("a step is undone and redone whole, and typing what is stored is no edit", () => {
    const typed = write(emptySheet, [
      { row, column: "title", text: "Djinn" },
      { row, column: "quantity", text: "2" },
    ]);
    expect(typed.edits.get(row.id)).toEqual({ title: "Djinn", quantity: "2" });
    const back = undo(typed);
    expect(back.edits.size).toBe(0);
    expect(redo(back).edits).toEqual(typed.edits);
    const again = write(typed, [{ row, column: "title", text: "Serpent" }]);
    expect(again.edits.get(row.id)).toEqual({ quantity: "2" });
    expect(write(again, [{ row, column: "quantity", text: "2" }])).toBe(again);
  });

  test("a card with an unreadable cell waits, and the others are saved for their version", () => {
    const other = rowOf({ id: "card_2", version: 8 });
    const rows = new Map([row, other].map((one) => [one.id, one]));
    const typed = write(emptySheet, [
      { row, column: "asking_price", text: "a lot" },
      { row, column: "title", text: "Djinn" },
      { row: other, column: "asking_price", text: "13" },
    ]);
    const { patches, unreadable } = patchesOf(typed, rows, "USD");
    expect(patches).toEqual([{ id: "card_2", patch: { asking_price: usd(1_300) }, if_version: 8 }]);
    expect(unreadable).toEqual([{ id: "card_1", column: "asking_price" }]);
    const saved = settle(typed, ["card_2"], new Map());
    expect([...saved.edits.keys()]).toEqual(["card_1"]);
  });

  test("what somebody else writes into an edited cell is shown beside it, and nothing is lost", () => {
    const typed = write(emptySheet, [{ row, column: "asking_price", text: "13" }]);
    const theirs = rowOf({ asking_price: usd(900), version: 4 });
    const noted = noteChanged(typed, row, theirs, "USD");
    expect(noted.refused.get(row.id)?.asking_price).toContain("9.00");
    expect(noted.edits).toEqual(typed.edits);
    // The same value, or another cell, is no contradiction.
    expect(noteChanged(typed, row, rowOf({ asking_price: usd(1_300) }), "USD")).toBe(typed);
    expect(noteChanged(typed, row, rowOf({ title: "Djinn" }), "USD")).toBe(typed);
  });

  test("cells go to a spreadsheet and come back as they were", async () => {
    const cells = [
      ["Charged Serpent", '5" tall', ""],
      ["two\nlines", "a\ttab", "12.50"],
    ];
    expect(await cellsOfText(textOfCells(cells))).toEqual(cells);
    expect(await cellsOfText("a\tb\r\nc\td\r\n")).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });
});
