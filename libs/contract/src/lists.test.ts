import { describe, expect, it } from "vitest";
import { exampleId } from "./ids.ts";
import { batchCardsQuery, batchListQuery, cardListQuery, listingListQuery } from "./lists.ts";
import { batchSorts, cardList, cardSorts, listingSorts } from "./lists.ts";

const queries = { cardListQuery, batchCardsQuery, batchListQuery, listingListQuery };
const needed = { batchCardsQuery: { id: exampleId("batch") } } as Record<string, object>;
const all = Object.entries(queries).map(([name, schema]) => [name, schema] as const);

describe.each(all)("%s", (name, schema) => {
  const parse = (query: object) => schema.safeParse({ ...needed[name], ...query });

  it("gives fifty rows unless told otherwise", () => {
    expect(parse({}).data).toEqual({ ...needed[name], limit: 50 });
  });

  it.each([
    [1, 1],
    [199, 199],
    [200, 200],
    [201, 200],
    [1e30, 200],
  ])("takes a limit of %d as %d", (given, limit) => {
    expect(parse({ limit: given }).data?.limit).toBe(limit);
  });

  it.each([0, -1, 1.5, 250.5, Number.NaN, Number.POSITIVE_INFINITY, "50", null])(
    "refuses a limit of %s",
    (limit) => {
      expect(parse({ limit }).error?.issues[0]?.path).toEqual(["limit"]);
    },
  );

  it("refuses an unknown parameter, sort or value of an enumeration", () => {
    for (const query of [{ nonsense: "x" }, { sort: "color" }, { status: ["lost"] }]) {
      expect(parse(query).success).toBe(false);
    }
  });

  it("refuses empty values", () => {
    for (const query of [{ cursor: "" }, { status: [] }, { updated_since: "" }, { sort: "" }]) {
      expect(parse(query).success).toBe(false);
    }
  });

  it("polls in the order of change only", () => {
    const updated_since = "2026-03-01T09:30:00+01:00";
    expect(parse({ updated_since }).success).toBe(true);
    expect(parse({ updated_since, sort: "updated_at" }).success).toBe(true);
    for (const sort of ["-updated_at", "created_at", "-created_at"]) {
      expect(parse({ updated_since, sort }).error?.issues[0]?.path).toEqual(["sort"]);
      expect(parse({ sort }).success).toBe(true);
    }
  });
});

describe("filters", () => {
  it("are repeated at most fifty times", () => {
    const skus = (length: number) => Array.from({ length }, (_, index) => `CV-${index}`);
    expect(cardListQuery.safeParse({ sku: skus(50) }).success).toBe(true);
    expect(cardListQuery.safeParse({ sku: skus(51) }).success).toBe(false);
  });

  it("take every documented one", () => {
    const query = {
      status: ["imported", "identified"],
      workflow_status: ["priced"],
      batch: ["B47", exampleId("batch")],
      location: ["A-03*"],
      set: ["Storm Harbour"],
      game: ["Runes of Avarra"],
      needs_review: false,
      graded: true,
      sku: ["CV-1"],
      q: "serpent",
      sort: "-asking_price",
      limit: 10,
      cursor: "abc",
    };
    expect(cardListQuery.parse(query)).toEqual(query);
    const { batch, ...rest } = query;
    const id = exampleId("batch");
    expect(batchCardsQuery.parse({ id, ...rest })).toEqual({ id, ...rest });
    expect(batchCardsQuery.safeParse({ id, batch }).success).toBe(false);
    expect(listingListQuery.safeParse({ status: ["live"], card: ["nowhere"] }).success).toBe(true);
  });

  it("leave room for a location's longest prefix", () => {
    expect(cardListQuery.safeParse({ location: [`${"x".repeat(120)}*`] }).success).toBe(true);
    expect(cardListQuery.safeParse({ location: ["x".repeat(122)] }).success).toBe(false);
  });

  it("cannot hold what no row can hold", () => {
    for (const query of [{ q: "a\u0000" }, { set: ["\ud800"] }, { location: ["\u0000"] }]) {
      expect(cardListQuery.safeParse(query).success).toBe(false);
    }
  });
});

it("sorts by the documented members, both ways", () => {
  const ways = (...members: string[]) => members.flatMap((member) => [member, `-${member}`]);
  expect(cardSorts).toEqual(ways("created_at", "updated_at", "asking_price", "title"));
  expect(batchSorts).toEqual(ways("created_at", "updated_at", "name"));
  expect(listingSorts).toEqual(ways("created_at", "updated_at", "price"));
});

it("answers a page whose next poll may be the given value, in any offset", () => {
  const page = { data: [], next_cursor: null, has_more: false };
  expect(cardList.parse(page)).toEqual(page);
  const last = { ...page, next_updated_since: "2026-03-01T09:30:00+01:00" };
  expect(cardList.parse(last)).toEqual(last);
});
