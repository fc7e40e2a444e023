import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const room = join(import.meta.dirname, "..");
const root = join(room, "../..");

test("every threat that is said to be held names what shows it, and that exists", () => {
  const text = readFileSync(join(room, "THREATS.md"), "utf8");
  const table = text.slice(text.indexOf("## What holds"), text.indexOf("## What does not hold"));
  const rows = table.split("\n").filter((line) => line.startsWith("| "));
  const shown = rows.slice(2).map((row) => {
    const [threat = "", , where = ""] = row.split(" | ");
    return { threat, paths: Array.from(where.matchAll(/`([^`]+)`/gu), ([, path = ""]) => path) };
  });
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter(({ paths }) => paths.length === 0)).toEqual([]);
  const missing = shown.flatMap(({ paths }) =>
    paths.filter((path) => !existsSync(join(root, path))),
  );
  expect(missing).toEqual([]);
});
