import { expect, test } from "vitest";
import type * as z from "zod";
import { cardListQuery } from "./lists.ts";
import { cardPatch } from "./card.ts";
import { exampleId } from "./ids.ts";
import { labelPreviewInput } from "./labels.ts";
import { maxSelectedIds } from "./limits.ts";
import { cardSelectionSchema } from "./selection.ts";
import { validationDetails } from "./validation.ts";

function messagesOf(schema: z.ZodType, value: unknown): unknown {
  const { error } = schema.safeParse(value);
  return error === undefined
    ? []
    : validationDetails(error).map(({ path, message }) => [path, message]);
}

test.each([
  [{ title: 5 }, "title", "Must be text"],
  [{ title: "" }, "title", "Must not be empty"],
  [{ title: " " }, "title", "Must not be only white space"],
  [{ title: "x".repeat(201) }, "title", "Must be at most 200 characters"],
  [{ title: "a\u0000" }, "title", "Must not contain NUL characters or unpaired surrogates"],
  [{ year: 1.5 }, "year", "Must be a whole number"],
  [{ year: 1700 }, "year", "Must be at least 1800"],
  [{ year: "1999" }, "year", "Must be a number"],
  [{ is_rookie: 1 }, "is_rookie", "Must be true or false"],
  [{ tags: "a" }, "tags", "Must be a list"],
  [{ tags: Array.from({ length: 51 }, () => "a") }, "tags", "Must be at most 50 entries"],
  [{ tags: ["a", 1] }, "tags.1", "Must be text"],
  [{ asking_price: 5 }, "asking_price", "Must be an object"],
  [{ asking_price: { amount: 5 } }, "asking_price.currency", "Is required"],
  [{ asking_price: { amount: 0, currency: "USD" } }, "asking_price.amount", "Must be at least 1"],
  [{ workflow_status: "open" }, "workflow_status", /^Must be one of imported, identified, /],
  [{ colour: 1 }, "colour", "Unknown member"],
])("%j is told in words for a dealer", (body, path, message) => {
  expect(messagesOf(cardPatch, body)).toEqual([
    [path, message instanceof RegExp ? expect.stringMatching(message) : message],
  ]);
});

test("times, and sentences of our own, are told too", () => {
  expect(messagesOf(cardListQuery, { updated_since: "2026-01-01" })).toContainEqual([
    "updated_since",
    "Must be an RFC 3339 time with seconds and an offset",
  ]);
  expect(
    messagesOf(cardPatch, { condition: "damaged", grading: { grader: "PSA", grade: "9" } }),
  ).toEqual([["grading", "A card has a condition or a grading, never both"]]);
});

test("of a union, the form that was meant is told, down to its bounds", () => {
  const ids = Array.from({ length: maxSelectedIds + 1 }, () => exampleId("card"));
  const tooMany = `Must be at most ${maxSelectedIds} entries`;
  expect(messagesOf(cardSelectionSchema, { ids })).toEqual([["ids", tooMany]]);
  expect(messagesOf(cardSelectionSchema, { ids: [] })).toEqual([["ids", "Must not be empty"]]);
  expect(messagesOf(cardSelectionSchema, { filter: { year_min: "old" } })).toEqual([
    ["filter.year_min", "Must be a number"],
  ]);
  const order = { subjects: { type: "cards", selection: { ids } }, template: "avery_5160" };
  expect(messagesOf(labelPreviewInput, order)).toEqual([["subjects.selection.ids", tooMany]]);
  expect(messagesOf(cardSelectionSchema, { other: 1 })).toEqual([
    ["", "Does not have the documented form"],
  ]);
});
