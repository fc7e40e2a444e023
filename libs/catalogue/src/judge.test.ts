import { describe, expect, it } from "vitest";
import { judgeCards } from "./judge.ts";
import type { KnownCard, ReadCard } from "./judge.ts";

const known = (
  name: string,
  number: string,
  setTotal: number | null,
  set: string,
  setCode: string | null = null,
): KnownCard => ({ name, comparedNumber: number, setTotal, set, setCode });

const ember = known("Gilded Warden", "12", 142, "Ember Coast", "EMC");
const tides = known("Gilded Warden", "12", 118, "Glass Tides", "GLT");
const moth = known("Pale Moth", "12", 142, "Hollow Crown", "HLC");
const all = [ember, tides, moth];

const read = (given: Partial<ReadCard>): ReadCard => ({
  name: null,
  number: null,
  total: null,
  set: null,
  setCode: null,
  ...given,
});

describe("which card it is", () => {
  it("is decided by name, number and set total", () => {
    expect(
      judgeCards(read({ name: "gilded warden", number: "12", total: 118 }), all),
    ).toMatchObject({
      kind: "decided",
      card: tides,
    });
  });

  it("is decided by name, number and set where no total is known", () => {
    const question = read({ name: "Gilded Warden", number: "12", setCode: "emc" });
    expect(judgeCards(question, all)).toMatchObject({ kind: "decided", card: ember });
    const listWithoutSizes = { ...ember, setTotal: null };
    expect(judgeCards(read({ ...question, total: 142 }), [listWithoutSizes, tides])).toMatchObject({
      kind: "decided",
      card: listWithoutSizes,
    });
  });

  it("is never decided by a name alone, were it the only one", () => {
    expect(judgeCards(read({ name: "Pale Moth" }), all)).toEqual({
      kind: "ambiguous",
      cards: [moth],
    });
    expect(judgeCards(read({ name: "Pale Moth", set: "Hollow Crown" }), all).kind).toBe(
      "ambiguous",
    );
  });

  it("is open where name and number fit and nothing tells the set", () => {
    expect(judgeCards(read({ name: "Gilded Warden", number: "12" }), all)).toEqual({
      kind: "ambiguous",
      cards: [ember, tides],
    });
  });

  it("is open where two printings have the same name, number and total", () => {
    const reprint = known("Gilded Warden", "12", 142, "Ember Coast Reprint", "EMR");
    const question = read({ name: "Gilded Warden", number: "12", total: 142 });
    expect(judgeCards(question, [ember, reprint]).kind).toBe("ambiguous");
    expect(judgeCards(read({ ...question, setCode: "EMR" }), [ember, reprint])).toMatchObject({
      kind: "decided",
      card: reprint,
    });
  });

  it.each([
    ["the number", { name: "Gilded Warden", number: "13", total: 142 }],
    ["the total", { name: "Gilded Warden", number: "12", total: 999 }],
    ["the name", { name: "Ashen Drake", number: "12", total: 142 }],
    ["a name that is missing", { number: "12", total: 142 }],
  ])("is none where %s disagrees", (_, question) => {
    expect(judgeCards(read(question), all)).toEqual({ kind: "none" });
  });
});
