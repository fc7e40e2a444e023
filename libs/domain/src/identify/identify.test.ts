import { describe, expect, test } from "vitest";
import {
  checkAgainstCatalogue,
  contradictedConfidence,
  unknownConfidence,
} from "./catalogue-check.ts";
import type { CatalogueAnswer, CatalogueCard } from "./catalogue-check.ts";
import { evidenceOf, rankFindings } from "./rank.ts";
import type { Finding } from "./rank.ts";
import { likenessOf, numberParts, numbersAgree } from "./same-card.ts";
import type { Grading } from "../card/state.ts";
import type { KnownFields } from "./same-card.ts";

const serpent: KnownFields = {
  title: "Charged Serpent",
  set: "Storm Harbour",
  number: "12/180",
};

function finding(more: Partial<Finding> = {}): Finding {
  return {
    provider: "image_recognition",
    engine: "cardsight",
    confidence: 0.82,
    fields: serpent,
    externalIds: {},
    imageUrl: null,
    catalogue: "not_checked",
    ...more,
  };
}
const model = (more: Partial<Finding> = {}): Finding =>
  finding({ provider: "generative_ai", engine: "model", confidence: 0.8, ...more });

describe("numbers", () => {
  test.each([
    ["012/180", { n: "12", total: 180 }],
    ["#12", { n: "12", total: null }],
    ["TG01/TG30", { n: "tg1", total: 30 }],
    ["RC-7", { n: "rc-7", total: null }],
    ["", null],
    ["no number here", null],
  ])("%s", (number, parts) => expect(numberParts(number)).toEqual(parts));

  test("agree by what both say", () => {
    expect(numbersAgree("012", "12/180")).toBe(true);
    expect(numbersAgree("12/142", "12/180")).toBe(false);
    expect(numbersAgree(null, "12/180")).toBeNull();
  });
});

describe("likeness", () => {
  test.each<[string, KnownFields, ReturnType<typeof likenessOf>]>([
    ["name and number", { title: "charged serpent", number: "12" }, "same"],
    ["a name within a title", { title: "2024 Charged Serpent #12", number: "12" }, "same"],
    ["a name alone", { title: "Charged Serpent" }, "compatible"],
    ["another number", { title: "Charged Serpent", number: "13/180" }, "different"],
    ["another total", { title: "Charged Serpent", number: "12/142" }, "different"],
    ["another name", { title: "Harbour Guard", number: "12/180" }, "different"],
    ["another set", { title: "Charged Serpent", number: "12", set: "Ember Coast" }, "different"],
    [
      "a set with its series",
      { title: "Charged Serpent", number: "12", set: "SH: Storm Harbour" },
      "same",
    ],
  ])("%s", (_, fields, likeness) => expect(likenessOf(serpent, fields)).toBe(likeness));

  test("a variant, a language and a year speak against it only where both are known", () => {
    expect(likenessOf({ ...serpent, variant: "foil" }, serpent)).toBe("same");
    expect(likenessOf({ ...serpent, variant: "foil" }, { ...serpent, variant: "holo" })).toBe(
      "different",
    );
    expect(likenessOf({ ...serpent, language: "en" }, { ...serpent, language: "ja" })).toBe(
      "different",
    );
    expect(likenessOf({ ...serpent, language: "en" }, { ...serpent, language: "English" })).toBe(
      "same",
    );
    expect(likenessOf({ ...serpent, year: 2023 }, { ...serpent, year: 2024 })).toBe("same");
    expect(likenessOf({ ...serpent, year: 2020 }, { ...serpent, year: 2024 })).toBe("different");
  });
});

describe("the catalogue", () => {
  const card: CatalogueCard = {
    game: "Runes of Avarra",
    set: "Storm Harbour",
    setCode: "STH",
    setTotal: 180,
    name: "Charged Serpent",
    rarity: "rare",
    year: 2024,
    externalIds: { tcgdex: "sth-12" },
  };
  const check = (
    answer: CatalogueAnswer | null,
    provider: Finding["provider"] = "generative_ai",
    fields: KnownFields = serpent,
  ) =>
    checkAgainstCatalogue(
      { provider, confidence: 0.95, fields, externalIds: { mine: "1" } },
      answer,
    );

  test("confirms and completes what it knows", () => {
    const fields = { title: "Charged Serpent", number: "#012" };
    expect(check({ kind: "decided", card }, "generative_ai", fields)).toEqual({
      confidence: 0.95,
      catalogue: "confirmed",
      externalIds: { mine: "1", tcgdex: "sth-12" },
      fields: {
        title: "Charged Serpent",
        subject: "Charged Serpent",
        game: "Runes of Avarra",
        set: "Storm Harbour",
        setCode: "STH",
        number: "012/180",
        year: 2024,
        rarity: "rare",
      },
    });
  });

  test("has no say where nothing was looked up, or it does not have the game", () => {
    expect(check(null)).toMatchObject({ catalogue: "not_checked", confidence: 0.95 });
    expect(check({ kind: "none", knowsSet: false, knowsGame: false })).toMatchObject({
      catalogue: "not_checked",
      confidence: 0.95,
    });
  });

  test("contradicts anybody where it has the set and no such card", () => {
    for (const provider of ["generative_ai", "image_recognition"] as const) {
      expect(check({ kind: "none", knowsSet: true, knowsGame: true }, provider)).toMatchObject({
        catalogue: "contradicted",
        confidence: contradictedConfidence,
        fields: serpent,
      });
    }
  });

  test("a set that it does not have lowers a model's confidence, and nobody else's", () => {
    const none = { kind: "none", knowsSet: false, knowsGame: true } as const;
    expect(check(none)).toMatchObject({ catalogue: "unknown", confidence: unknownConfidence });
    expect(check(none, "image_recognition")).toMatchObject({
      catalogue: "unknown",
      confidence: 0.95,
    });
  });

  test("more than one card that fits is no confirmation", () => {
    expect(check({ kind: "ambiguous" })).toMatchObject({ catalogue: "several", confidence: 0.95 });
  });
});

describe("ranking", () => {
  test("two providers that see the same card are surer together, and never certain", () => {
    const { candidates, isSure, doubt } = rankFindings([finding(), model()], 0.85);
    expect(candidates).toHaveLength(1);
    expect(candidates[0]).toMatchObject({
      provider: "image_recognition",
      confidence: 0.964,
      engines: ["cardsight", "model"],
    });
    expect([isSure, doubt]).toEqual([true, undefined]);
    const certain = rankFindings(
      [finding({ confidence: 0.98 }), model({ confidence: 0.98 })],
      0.85,
    );
    expect(certain.leader?.confidence).toBe(0.99);
  });

  test("what they read off a slab is the card's where they agree, and nobody's where they do not", () => {
    const psa = (grade: string, more: Partial<Grading> = {}): Grading => ({
      grader: "PSA",
      grade,
      certNumber: null,
      qualifier: null,
      ...more,
    });
    const local = (grading: Grading): Finding => finding({ engine: "local", grading });
    const gradingOf = (...findings: Finding[]) => rankFindings(findings, 0.85).leader?.grading;
    const nine = finding({ grading: psa("9") });
    const certified = psa("9", { grader: "psa", certNumber: "48213377" });
    expect(gradingOf(nine, model())).toEqual(psa("9"));
    expect(gradingOf(finding(), model({ grading: psa("9") }))).toEqual(psa("9"));
    expect(gradingOf(nine, model({ grading: certified }))).toEqual(
      psa("9", { certNumber: "48213377" }),
    );
    expect(gradingOf(nine, model({ grading: psa("8") }))).toBeNull();
    expect(gradingOf(nine, model({ grading: psa("9", { grader: "BGS" }) }))).toBeNull();
    // A third that sides with one of them does not decide it.
    expect(gradingOf(nine, local(psa("8")), model({ grading: psa("9") }))).toBeNull();
    expect(gradingOf(nine, local(psa("8")), model({ grading: psa("8") }))).toBeNull();
    // One grade, two numbers: the grade is sure and the slab is not.
    const other = psa("9", { certNumber: "11111111" });
    expect(gradingOf(finding({ grading: certified }), model({ grading: other }))).toEqual(
      psa("9", { grader: "psa" }),
    );
    const offCentre = psa("9", { qualifier: "OC" });
    expect(gradingOf(nine, model({ grading: offCentre }))).toEqual(offCentre);
    const marked = model({ grading: psa("9", { qualifier: "MK" }) });
    expect(gradingOf(finding({ grading: offCentre }), marked)).toBeNull();
  });

  test("one that only does not contradict adds fields and no confidence", () => {
    const vague = model({ fields: { title: "Charged Serpent", rarity: "rare" } });
    const { candidates } = rankFindings([finding(), vague], 0.85);
    expect(candidates).toHaveLength(1);
    expect(candidates[0]).toMatchObject({ confidence: 0.82, fields: { rarity: "rare" } });
  });

  test("one provider's own alternatives are never merged with its best", () => {
    const twice = [finding(), finding({ confidence: 0.62 })];
    expect(rankFindings(twice, 0.85).candidates).toHaveLength(2);
  });

  test("another card close to the leader makes it ambiguous, however confident", () => {
    const wyrm = { title: "Charged Wyrm", number: "13/180" };
    const near = [finding({ confidence: 0.95 }), model({ confidence: 0.91, fields: wyrm })];
    expect(rankFindings(near, 0.85)).toMatchObject({ doubt: "ambiguous", isSure: false });
    const far = [finding({ confidence: 0.95 }), model({ confidence: 0.89, fields: wyrm })];
    expect(rankFindings(far, 0.85)).toMatchObject({ doubt: undefined, isSure: true });
    // One who saw both could not tell them apart; that another picks one of them does not decide it.
    const torn = [finding(), finding({ fields: wyrm }), model({ confidence: 0.95, fields: wyrm })];
    expect(rankFindings(torn, 0.85)).toMatchObject({ doubt: "ambiguous", isSure: false });
    const overruled = [finding({ confidence: 0.62 }), model({ confidence: 0.93, fields: wyrm })];
    expect(rankFindings(overruled, 0.85)).toMatchObject({ doubt: "ambiguous", isSure: false });
    const several = [finding({ confidence: 0.95, catalogue: "several" })];
    expect(rankFindings(several, 0.85)).toMatchObject({ doubt: "ambiguous", isSure: false });
  });

  test("a name without number and set is unreadable, and so is a card without a name", () => {
    for (const fields of [{ title: "Charged Serpent" }, { set: "Storm Harbour", number: "12" }]) {
      const verdict = rankFindings([finding({ confidence: 0.95, fields })], 0.85);
      expect(verdict).toMatchObject({ doubt: "unreadable", isSure: false });
    }
  });

  test("five candidates at most, the likeliest first; none is none", () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      finding({ confidence: index / 10, fields: { ...serpent, number: `${index}/180` } }),
    );
    const { candidates } = rankFindings(many, 0.85);
    expect(candidates.map(({ confidence }) => confidence)).toEqual([0.8, 0.7, 0.6, 0.5, 0.4]);
    expect(rankFindings([], 0.85)).toEqual({
      candidates: [],
      leader: null,
      doubt: undefined,
      isSure: false,
    });
  });

  test("the threshold itself is enough", () => {
    expect(rankFindings([finding({ confidence: 0.85 })], 0.85).isSure).toBe(true);
    expect(rankFindings([finding({ confidence: 0.8499 })], 0.85).isSure).toBe(false);
  });
});

test("evidence says field by field who agrees and who says what else", () => {
  const findings = [
    finding({ confidence: 0.9, fields: { ...serpent, isRookie: false } }),
    finding({ confidence: 0.5, fields: { title: "Charged Wyrm" } }),
    model({ fields: { ...serpent, set: "STORM HARBOUR", number: "12/142", year: 2024 } }),
  ];
  const { leader } = rankFindings(findings, 0.85);
  if (leader === null) throw new Error("There is a leader");
  expect(evidenceOf(leader, findings)).toEqual([
    { name: "title", value: "Charged Serpent", agreeing: ["cardsight", "model"], disagreeing: [] },
    { name: "set", value: "Storm Harbour", agreeing: ["cardsight", "model"], disagreeing: [] },
    {
      name: "number",
      value: "12/180",
      agreeing: ["cardsight"],
      disagreeing: [{ engine: "model", value: "12/142" }],
    },
  ]);
});
