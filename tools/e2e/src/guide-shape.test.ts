import { expect, test } from "vitest";
import { outputProblems } from "./guide-shape.ts";

const id = "card_01kjn2z6g0fgz9pqafd9r83gq3";
const other = "card_01m7zqk5c9e94r9mwq3dqz1zqe";

test("ids, times and what is left out may differ, everything else not", () => {
  const shown = `{ "id": "${id}", "tags": ["a", …], "at": "2026-03-01T09:30:00.000Z", … }`;
  const came = { id: other, tags: ["a", "b"], at: "2026-11-21T10:00:00.123Z", version: 2 };
  expect(outputProblems("json", shown, JSON.stringify(came))).toEqual([]);
  expect(outputProblems("json", shown, JSON.stringify({ ...came, tags: ["b"] }))).toHaveLength(1);
  expect(outputProblems("json", shown, JSON.stringify({ ...came, id: "evt_1" }))).toHaveLength(1);
  expect(outputProblems("json", shown, JSON.stringify({ ...came, at: null }))).toHaveLength(1);
});

test("a member that is missing, or is not shown, is a difference", () => {
  expect(outputProblems("json", '{ "a": 1, "b": null }', '{"a":1}')).toEqual([
    "the whole has no b",
  ]);
  expect(outputProblems("json", '{ "a": { "b": 1 } }', '{"a":{"b":1,"c":2}}')).toEqual([
    "a also has c",
  ]);
  expect(outputProblems("json", '[{ "a": 1 }]', "[]")).toHaveLength(1);
  expect(outputProblems("json", "{}", "<html>")).toHaveLength(1);
});

test("an answer has its status, the shown headers and its body", () => {
  const shown = 'HTTP/1.1 200 OK\netag: "2"\nretry-after: 58\n…\n\n{ "a": 1 }';
  const came = 'HTTP/1.1 200 OK\r\nx: 1\r\nretry-after: 7\r\nETag: "2"\r\n\r\n{"a":1}';
  expect(outputProblems("http", shown, came)).toEqual([]);
  for (const [from, to] of [
    ["200 OK", "201 Created"],
    ['ETag: "2"', 'ETag: "3"'],
    ["retry-after: 7\r\n", ""],
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', ""],
  ] as const) {
    expect(outputProblems("http", shown, came.replace(from, to)), `without ${from}`).toHaveLength(
      1,
    );
  }
});

test("text is compared line by line", () => {
  expect(outputProblems("text", `verified ${id}\nx`, `verified ${other}\nx\n`)).toEqual([]);
  expect(outputProblems("text", "200\n429", "200\n200\n")).toHaveLength(1);
  expect(outputProblems("text", "200", "200\n429\n")).toHaveLength(1);
});
