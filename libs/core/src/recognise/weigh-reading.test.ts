import type { CatalogueFinding, NearCard } from "@cardvault/db";
import { describe, expect, test } from "vitest";
import { nameWithin, weighReading } from "./weigh-reading.ts";
import type { LocalEvidence } from "./weigh-reading.ts";

const serpent: CatalogueFinding = {
  source: "list",
  sourceId: "EMC-12",
  game: "Aetherbound",
  set: "Ember Coast",
  setCode: "EMC",
  number: "12",
  setTotal: 142,
  name: "Charged Serpent",
  rarity: "Rare",
  year: 2023,
  externalIds: { list: "EMC-12" },
  imageUrl: null,
  comparedName: "charged serpent",
  comparedNumber: "12",
  comparedSet: "ember coast",
  nearness: 1,
};
const near: NearCard = {
  cardId: "card_01kjn2z6g0fgz9pqafd9r83gq3",
  distance: 12,
  title: "Charged Serpent",
  game: "Aetherbound",
  set: "Ember Coast",
  setCode: "EMC",
  number: "12/142",
  year: 2023,
  rarity: "Rare",
  language: null,
};
const twice = { printed: "012/142", votes: 2 };
const nothing: LocalEvidence = {
  reading: { nameLines: [], numbers: [], certificate: null },
  numbered: [],
  named: [],
  near: [],
};
const read: LocalEvidence = {
  ...nothing,
  reading: { nameLines: ["STAGE 1 Charged Serpent"], numbers: [twice], certificate: null },
  numbered: [{ read: twice, card: serpent }],
};
const best = (evidence: LocalEvidence): number => weighReading(evidence)[0]?.confidence ?? 0;

describe("only signals that agree make it sure", () => {
  test("number, total and name, read twice, once; and with its looks", () => {
    const once = { ...twice, votes: 1 };
    expect(best(read)).toBe(0.95);
    expect(best({ ...read, numbered: [{ read: once, card: serpent }] })).toBe(0.9);
    expect(best({ ...read, near: [near] })).toBe(0.98);
    expect(best({ ...nothing, near: [near] })).toBe(0.9);
  });

  test.each<[string, LocalEvidence]>([
    ["nothing", nothing],
    ["a name alone", { ...read, numbered: [], named: [serpent] }],
    ["a number without a name", { ...read, reading: { ...read.reading, nameLines: [] } }],
    ["another name", { ...read, reading: { ...read.reading, nameLines: ["Tidal Warden"] } }],
    [
      "another total",
      { ...read, numbered: [{ read: twice, card: { ...serpent, setTotal: 118 } }] },
    ],
    [
      "a total that the list does not know",
      { ...read, numbered: [{ read: twice, card: { ...serpent, setTotal: null } }] },
    ],
    [
      "two printings with one number, total and name",
      {
        ...read,
        numbered: [
          { read: twice, card: serpent },
          { read: twice, card: { ...serpent, sourceId: "GLT-12", set: "Glass Tides" } },
        ],
      },
    ],
    ["looks that are too far", { ...nothing, near: [{ ...near, distance: 44 }] }],
    [
      "looks of two cards",
      {
        ...nothing,
        near: [near, { ...near, title: "Tidal Warden", number: "13/142", distance: 15 }],
      },
    ],
    [
      "looks of another card than was read",
      { ...read, near: [{ ...near, title: "Tidal Warden", number: "13/142" }] },
    ],
    [
      "looks that a number read twice speaks against",
      {
        ...nothing,
        reading: { ...read.reading, nameLines: [] },
        near: [{ ...near, number: "88/90" }],
      },
    ],
  ])("%s is left to a person", (_, evidence) => {
    expect(best(evidence)).toBeLessThanOrEqual(0.6);
  });

  test("a rival that is much farther away is none", () => {
    const far = { ...near, title: "Tidal Warden", number: "13/142", distance: 38 };
    expect(best({ ...nothing, near: [near, far] })).toBe(0.9);
  });
});

test("the likeliest comes first, one card once, five at most, with the slab's certificate", () => {
  const certificate = { grader: "PSA", certNumber: "12345678" };
  const others = [1, 2, 3, 4, 5, 6].map((n) => ({
    ...serpent,
    sourceId: `x${n}`,
    set: `Set ${n}`,
    number: `${n}`,
  }));
  const candidates = weighReading({
    ...read,
    reading: { ...read.reading, certificate },
    near: [near],
    named: others,
  });
  expect(candidates).toHaveLength(5);
  expect(candidates[0]).toMatchObject({
    confidence: 0.98,
    fields: { title: "Charged Serpent", set: "Ember Coast", number: "012/142" },
    externalIds: { list: "EMC-12", psa_cert: "12345678" },
  });
  expect(candidates.slice(1).every(({ confidence }) => confidence === 0.4)).toBe(true);
});

test.each([
  [["BASIC Charged Serpent HP 120"], 1],
  [["Chargd Serpent"], 0.65],
  [["ChargedSerpent"], 0.5],
  [["Tidal Warden"], 0],
])("%j: how much of the name was read", (lines, least) => {
  const likeness = nameWithin(lines, "Charged Serpent");
  if (least === 0) expect(likeness).toBeLessThan(0.3);
  else expect(likeness).toBeGreaterThanOrEqual(least);
});
