import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { batch, batchCreateInput, batchUpdateInput } from "./batch.ts";
import { cardMaxima } from "./card-maxima.ts";
import { card, cardCreateInput, cardPatch, cardUpdateInput } from "./card.ts";
import { exampleId } from "./ids.ts";
import { identifyInput, priceLookupInput } from "./identify.ts";
import { keyCreateInput } from "./keys.ts";
import { listing, publishBody } from "./listing.ts";
import { endpointCreateInput } from "./webhooks.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });
const paths = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map((issue) => issue.path.join(".")) ?? [];
const letters = (length: number) => "x".repeat(length);
const many = (length: number) => Array.from({ length }, (_, index) => `tag ${index}`);
const map = (length: number) => Object.fromEntries(many(length).map((key) => [key, "x"]));

/** Schema, member, the last value that is accepted and the first that is not. */
const edges: [string, z.ZodType, string, unknown, unknown][] = [
  ...(
    [
      ["title", letters(200), letters(201)],
      ["game", letters(60), letters(61)],
      ["set", letters(120), letters(121)],
      ["set_code", letters(30), letters(31)],
      ["number", letters(30), letters(31)],
      ["year", 1800, 1799],
      ["year", 2100, 2101],
      ["subject", letters(120), letters(121)],
      ["team", letters(120), letters(121)],
      ["manufacturer", letters(120), letters(121)],
      ["variant", letters(120), letters(121)],
      ["rarity", letters(60), letters(61)],
      ["language", letters(35), letters(36)],
      ["print_run", 1, 0],
      ["print_run", cardMaxima.printRun, cardMaxima.printRun + 1],
      ["serial_number", letters(30), letters(31)],
      ["sku", letters(50), letters(51)],
      ["location", letters(120), letters(121)],
      ["notes", letters(10_000), letters(10_001)],
      ["tags", many(50), many(51)],
      ["tags", [letters(50)], [letters(51)]],
      ["quantity", 1, 0],
      ["quantity", 9_999, 10_000],
      ["asking_price", usd(1), usd(0)],
      ["price_floor", usd(0), usd(-1)],
      ["purchase_price", usd(900_000_000_000), usd(900_000_000_001)],
      ["grading", { grader: letters(20), grade: "9" }, { grader: letters(21), grade: "9" }],
      ["grading", { grader: "PSA", grade: letters(20) }, { grader: "PSA", grade: letters(21) }],
    ] as const
  ).map(([member, last, first]): [string, z.ZodType, string, unknown, unknown] => [
    "cardPatch",
    cardPatch,
    member,
    last,
    first,
  ]),
  ["cardCreateInput", cardCreateInput, "external_ids", map(20), map(21)],
  [
    "cardCreateInput",
    cardCreateInput,
    "external_ids",
    { [letters(50)]: letters(100) },
    { [letters(50)]: letters(101) },
  ],
  ["cardCreateInput", cardCreateInput, "external_ids", {}, { [letters(51)]: "x" }],
  ["batchCreateInput", batchCreateInput, "name", letters(120), letters(121)],
  ["batchCreateInput", batchCreateInput, "code", letters(20), letters(21)],
  ["batchCreateInput", batchCreateInput, "source", letters(120), letters(121)],
  ["batchCreateInput", batchCreateInput, "description", letters(2_000), letters(2_001)],
  ["publishBody", publishBody, "title", letters(80), letters(81)],
  ["publishBody", publishBody, "description", letters(10_000), letters(10_001)],
  ["publishBody", publishBody, "price", usd(1), usd(0)],
  ["keyCreateInput", keyCreateInput, "name", letters(100), letters(101)],
  ["keyCreateInput", keyCreateInput, "scopes", ["identify"], []],
  ["keyCreateInput", keyCreateInput, "scopes", ["identify"], ["identify", "identify"]],
  ["endpointCreateInput", endpointCreateInput, "description", letters(200), letters(201)],
  ["endpointCreateInput", endpointCreateInput, "events", ["card.priced"], []],
];

const needed: Record<string, object> = {
  batchCreateInput: { name: "A batch" },
  keyCreateInput: { name: "A key" },
  endpointCreateInput: { url: "https://example.com/hook" },
};

describe("documented maxima", () => {
  it.each(edges)("%3$s of %1$s ends where it says", (name, schema, member, last, first) => {
    const base = needed[name] ?? {};
    expect(schema.safeParse({ ...base, [member]: last })).toMatchObject({ success: true });
    expect(paths(schema, { ...base, [member]: first })[0]?.split(".")[0]).toBe(member);
  });
});

describe("cardPatch", () => {
  it("is empty, or has any members", () => {
    expect(cardPatch.parse({})).toEqual({});
    expect(cardPatch.parse({ workflow_status: "archived", is_rookie: true })).toEqual({
      workflow_status: "archived",
      is_rookie: true,
    });
  });

  const clearable = [
    ["title", "game", "set", "set_code", "number", "year", "subject", "team", "manufacturer"],
    ["variant", "rarity", "language", "print_run", "serial_number", "condition", "grading", "sku"],
    ["asking_price", "price_floor", "purchase_price", "location", "notes", "tags"],
  ].flat();
  it.each(clearable)("clears %s by null", (member) => {
    expect(cardPatch.parse({ [member]: null })).toEqual({ [member]: null });
  });

  it.each(["quantity", "workflow_status", "is_rookie", "is_autograph", "is_memorabilia"])(
    "cannot clear %s, which is never empty",
    (member) => {
      expect(paths(cardPatch, { [member]: null })).toEqual([member]);
    },
  );

  it.each(["id", "status", "batch_id", "version", "external_ids", "photos", "market_price"])(
    "does not take %s",
    (member) => {
      expect(cardPatch.safeParse({ [member]: null }).error?.issues).toMatchObject([
        { code: "unrecognized_keys", keys: [member] },
      ]);
    },
  );

  it("refuses a condition and a grading in one body", () => {
    const grading = { grader: "PSA", grade: "9" };
    for (const [schema, base] of [
      [cardPatch, {}],
      [cardUpdateInput, { id: exampleId("card") }],
      [cardCreateInput, {}],
    ] as const) {
      expect(paths(schema, { ...base, condition: "damaged", grading })).toEqual(["grading"]);
      expect(paths(schema, { ...base, condition: null, grading })).toEqual([]);
      expect(paths(schema, { ...base, condition: "damaged", grading: null })).toEqual([]);
    }
  });

  it("fills what a grading's label does not show", () => {
    expect(cardPatch.parse({ grading: { grader: "PSA", grade: "9" } }).grading).toEqual({
      grader: "PSA",
      grade: "9",
      cert_number: null,
      qualifier: null,
    });
  });

  it.each(["title", "sku", "location", "notes", "set", "subject"])(
    "refuses what cannot be stored in %s",
    (member) => {
      expect(paths(cardPatch, { [member]: "a\u0000b" })).toEqual([member]);
      expect(paths(cardPatch, { [member]: "a\ud800b" })).toEqual([member]);
    },
  );

  it("refuses what cannot be stored inside tags and names of external ids", () => {
    expect(paths(cardPatch, { tags: ["ok", "\u0000"] })).toEqual(["tags.1"]);
    expect(cardCreateInput.safeParse({ external_ids: { "a\u0000": "x" } }).success).toBe(false);
  });

  it("refuses a title of only white space", () => {
    expect(paths(cardPatch, { title: " \t " })).toEqual(["title"]);
  });
});

describe("updates of a batch", () => {
  it("clear by null, but neither name nor code", () => {
    const id = exampleId("batch");
    expect(paths(batchUpdateInput, { id, source: null, cost_basis: null })).toEqual([]);
    expect(paths(batchUpdateInput, { id, name: null, code: null })).toEqual(["name", "code"]);
  });
});

describe("resources", () => {
  it.each([
    ["card", card],
    ["batch", batch],
    ["listing", listing],
  ] as const)("%s has every member, always", (_, schema) => {
    const [example] = (schema.meta()?.["examples"] ?? []) as Record<string, unknown>[];
    for (const member of Object.keys(schema.shape)) {
      const { [member]: left, ...rest } = example ?? {};
      expect(left).not.toBeUndefined();
      expect(paths(schema, rest)).toEqual([member]);
    }
  });
});

describe("identification and price lookup", () => {
  const card_id = exampleId("card");
  it("take exactly one subject", () => {
    expect(paths(identifyInput, {})).toEqual(["card_id"]);
    expect(paths(identifyInput, { card_id, photo_url: "https://example.com/a" })).toEqual([
      "card_id",
    ]);
    expect(paths(identifyInput, { card_id, dry_run: true })).toEqual([]);
    expect(paths(identifyInput, { photo_url: "https://example.com/a.jpg" })).toEqual([]);
    expect(paths(priceLookupInput, {})).toEqual(["card_id"]);
    expect(paths(priceLookupInput, { card_id, identification: { title: "Serpent" } })).toEqual([
      "card_id",
    ]);
    expect(paths(priceLookupInput, { identification: {} })).toEqual(["identification"]);
    expect(paths(priceLookupInput, { identification: { title: null } })).toEqual([
      "identification",
    ]);
    expect(paths(priceLookupInput, { card_id, apply: true })).toEqual([]);
  });

  it("take condition or grading with an identification only, and store on a card only", () => {
    const identification = { title: "Charged Serpent" };
    const grading = { grader: "PSA", grade: "9" };
    expect(paths(priceLookupInput, { identification, condition: "damaged" })).toEqual([]);
    expect(paths(priceLookupInput, { identification, condition: "damaged", grading })).toEqual([
      "grading",
    ]);
    expect(paths(priceLookupInput, { card_id, grading })).toEqual(["card_id"]);
    expect(paths(priceLookupInput, { identification, apply: true })).toEqual(["apply"]);
  });
});
