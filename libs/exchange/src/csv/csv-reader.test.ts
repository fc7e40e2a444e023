import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvReader } from "./csv-reader.ts";
import type { CsvRow } from "./csv-reader.ts";
import { EncodingDetector, markLength } from "./encoding.ts";
import type { Encoding } from "./encoding.ts";
import { csvLine, withoutGuard } from "./formula.ts";
import { maxRecordChars } from "./record-splitter.ts";

/** Reads bytes in pieces of a size, as they come over a network. */
function read(
  bytes: Uint8Array,
  options: { delimiter?: string; encoding?: Encoding; piece?: number } = {},
): CsvRow[] {
  const { delimiter = ",", encoding = "utf-8", piece = bytes.length } = options;
  const mark = markLength(encoding, bytes);
  const reader = new CsvReader({ encoding, delimiter }, { offset: mark, row: 1 });
  const rows: CsvRow[] = [];
  for (let at = mark; at < bytes.length; at += Math.max(piece, 1)) {
    rows.push(...reader.push(bytes.subarray(at, at + Math.max(piece, 1))));
  }
  rows.push(...reader.end());
  return rows;
}
const cells = (rows: CsvRow[]) => rows.map((row) => row.cells);
const text = (value: string) => Buffer.from(value);

describe("ends of lines", () => {
  test.each([
    ["CRLF", "a,b\r\nc,d\r\n"],
    ["LF", "a,b\nc,d\n"],
    ["CR", "a,b\rc,d\r"],
    ["none after the last", "a,b\r\nc,d"],
  ])("%s, in pieces of any size", (_, file) => {
    for (const piece of [1, 2, 3, 100]) {
      expect(cells(read(text(file), { piece }))).toEqual([
        ["a", "b"],
        ["c", "d"],
      ]);
    }
  });

  test("blank lines are left out and counted, as a spreadsheet does", () => {
    expect(read(text("a\n\n  \nb\n")).map(({ row }) => row)).toEqual([1, 4]);
  });
});

describe("quotation marks", () => {
  test("hold delimiters, ends of lines of every kind and themselves", () => {
    expect(cells(read(text('"a,b","c\r\nd\ne\rf","say ""hi"""\n'), { piece: 1 }))).toEqual([
      ["a,b", "c\r\nd\ne\rf", 'say "hi"'],
    ]);
  });

  test("within a cell are characters: a 6 inch doll", () => {
    expect(cells(read(text('6" doll,"x"y,z\nnext,row,here\n')))).toEqual([
      ['6" doll', '"x"y', "z"],
      ["next", "row", "here"],
    ]);
  });

  test("one that is never closed costs its own row and no other", () => {
    const rows = read(text('id,name\n1,"broken\n2,fine\n3,fine\n'), { piece: 5 });
    expect(rows.map(({ row, cells: found, problem }) => [row, problem?.column ?? found])).toEqual([
      [1, ["id", "name"]],
      [2, 2],
      [3, ["2", "fine"]],
      [4, ["3", "fine"]],
    ]);
    expect(rows[1]?.problem?.message).toBe("A quotation mark that opens here is never closed.");
  });

  test("one that the next row's quotation mark would close costs one row, too", () => {
    const rows = read(text('1,"broken\n2,"fine, this"\n3,"also ""fine"""\n'));
    expect(rows.filter(({ problem }) => problem !== undefined).map(({ row }) => row)).toEqual([1]);
    expect(cells(rows).slice(1)).toEqual([
      ["2", "fine, this"],
      ["3", 'also "fine"'],
    ]);
  });
});

describe("what is too much", () => {
  const giant = "x".repeat(10 * 1024 * 1024);
  test.each([
    ["plain", `1,${giant}\n2,fine\n`],
    ["quoted", `1,"${giant}"\n2,fine\n`],
    ["unclosed", `1,"${giant}\n2,fine\n`],
  ])("a cell of 10 MB, %s: an error with its row, and the next row is read", (_, file) => {
    const bytes = text(file);
    const before = process.memoryUsage().arrayBuffers;
    const rows = read(bytes, { piece: 64 * 1024 });
    expect(rows.map(({ row, problem }) => [row, problem?.message])).toEqual([
      [1, expect.stringContaining(maxRecordChars.toLocaleString("en"))],
      [2, undefined],
    ]);
    expect(rows[1]?.cells).toEqual(["2", "fine"]);
    // The pieces that were passed over are not kept anywhere.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(giant.length);
    expect(rows.at(-1)?.end).toBe(bytes.length);
  });

  test("a hundred thousand unclosed quotation marks are read in one go", () => {
    const rows = read(text('a,"b\n'.repeat(100_000)), { piece: 64 * 1024 });
    expect(rows).toHaveLength(100_000);
  });
});

describe("encodings", () => {
  const file = "Título,Preis\nDrachenkönig,€ 5\n";
  const utf16le = Buffer.from(file, "utf16le");
  const utf16be = Buffer.from(utf16le).swap16();
  const latin = Buffer.from(
    Array.from(file, (character) => (character === "€" ? 0x80 : character.charCodeAt(0))),
  );
  test.each<[string, Encoding, Uint8Array]>([
    ["UTF-8", "utf-8", text(file)],
    ["UTF-8 with its mark", "utf-8", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text(file)])],
    ["UTF-16 little endian", "utf-16le", utf16le],
    ["the same with its mark", "utf-16le", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16le])],
    ["UTF-16 big endian", "utf-16be", utf16be],
    ["the same with its mark", "utf-16be", Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be])],
    ["Windows-1252", "windows-1252", latin],
  ])("%s is found out and read, in pieces that cut characters", (_, encoding, bytes) => {
    const detector = new EncodingDetector();
    for (let at = 0; at < bytes.length; at += 7) detector.push(bytes.subarray(at, at + 7));
    expect(detector.end()).toBe(encoding);
    const rows = read(bytes, { encoding, piece: 3 });
    expect(cells(rows)).toEqual([
      ["Título", "Preis"],
      ["Drachenkönig", "€ 5"],
    ]);
    expect(rows.at(-1)?.end).toBe(bytes.length);
  });

  test("one byte that is not UTF-8 far behind the head makes a file Windows-1252", () => {
    const detector = new EncodingDetector();
    detector.push(text("a".repeat(200_000)));
    detector.push(Uint8Array.of(0xe9, 0x0a));
    expect(detector.end()).toBe("windows-1252");
  });
});

test("reading can go on at the end of any row", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), { minLength: 1, maxLength: 4 }),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
      fc.integer({ min: 1, max: 40 }),
      (rows, piece) => {
        const bytes = text(rows.map((row) => csvLine(["k", ...row])).join(""));
        const all = read(bytes, { piece });
        expect(cells(all).map((row) => row.map(withoutGuard))).toEqual(
          rows.map((row) => ["k", ...row]),
        );
        for (const [index, { end, row }] of all.entries()) {
          const start = { offset: end, row: row + 1 };
          const reader = new CsvReader({ encoding: "utf-8", delimiter: "," }, start);
          const rest = [...reader.push(bytes.subarray(end)), ...reader.end()];
          expect(rest).toEqual(all.slice(index + 1));
        }
      },
    ),
  );
});

test("whatever the bytes are, reading ends and every row has its number", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('"', ",", "\n", "\r", "a", "\u0000", "é"), { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (characters, piece) => {
        const bytes = text(characters.join(""));
        const rows = read(bytes, { piece });
        expect(rows).toEqual(read(bytes));
        const numbers = rows.map(({ row }) => row);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      },
    ),
  );
});
