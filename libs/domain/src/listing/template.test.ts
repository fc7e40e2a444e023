import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cardWith } from "../card/fixtures.ts";
import type { CardState } from "../card/state.ts";
import {
  mostTitleLength,
  renderDescription,
  fitTitle,
  renderTitle,
  templateProblem,
  templatePlaceholders,
  templatesOf,
} from "./template.ts";
import { cutAtWord } from "./words.ts";

const serpent: CardState = {
  ...cardWith({}),
  title: "Charged Serpent",
  subject: null,
  game: "Runes of Avarra",
  set: "Storm Harbour",
  setCode: "STH",
  number: "12/180",
  year: 2024,
  variant: "Foil",
  manufacturer: "Avarra Press",
  condition: "near_mint",
  grading: null,
};
const short = "{year} {set} {subject} {variant} #{number} {grade}";

describe("a title", () => {
  test("says what is known, in the order of its template", () => {
    expect(renderTitle(short, serpent)).toBe("2024 Storm Harbour Charged Serpent Foil #12/180 NM");
  });

  test("leaves out what is not known, with what is stuck to it and what stands between", () => {
    const bare = { ...serpent, number: null, variant: null, year: null, condition: null };
    expect(renderTitle(short, bare)).toBe("Storm Harbour Charged Serpent");
    expect(renderTitle("{year} - {set} - {subject} ({variant})", bare)).toBe(
      "Storm Harbour - Charged Serpent",
    );
    expect(renderTitle("{set}/{number} {subject}", bare)).toBe("Storm Harbour Charged Serpent");
  });

  test("names the grade of a graded card", () => {
    const grading = { grader: "PSA", grade: "10", certNumber: "1", qualifier: "OC" };
    const graded = { ...serpent, condition: null, grading };
    expect(renderTitle("{subject} {grade}", graded)).toBe("Charged Serpent PSA 10 OC");
    expect(renderTitle("{subject} {features}", { ...graded, isRookie: true })).toBe(
      "Charged Serpent RC",
    );
  });

  test("too long, it loses its least important parts first", () => {
    const long = { ...serpent, set: "Storm Harbour: The Second Expedition Commemorative Series" };
    const title = renderTitle("{year} {manufacturer} {set} {subject} #{number} {grade}", long);
    expect(title.length).toBeLessThanOrEqual(mostTitleLength);
    expect(title).not.toContain("Avarra");
    for (const kept of ["Charged Serpent", "#12/180", "NM"]) expect(title).toContain(kept);
  });

  test("tells what it has lost, the least important first", () => {
    const long = { ...serpent, set: "Storm Harbour: The Second Expedition Commemorative Series" };
    const { title, dropped } = fitTitle("{set} - {subject} #{number} {language} {sku}", {
      ...long,
      language: "English",
      sku: "A-1",
    });
    expect(dropped[0]).toBe("A-1");
    for (const lost of dropped) expect(title).not.toContain(lost);
    expect(dropped).not.toContain("-");
    expect(fitTitle(short, serpent).dropped).toEqual([]);
    const word = "Avarra ".repeat(16).trim();
    const { title: cut, dropped: rest } = fitTitle("{title}", { ...serpent, title: word });
    expect(`${cut} ${rest.join(" ")}`).toBe(word);
  });

  test("is empty where nothing is known", () => {
    expect(renderTitle(short, cardWith({ title: null, condition: null }))).toBe("");
  });
});

const words = fc
  .array(fc.stringMatching(/^[A-Za-z0-9'/-]{1,24}$/), { minLength: 1, maxLength: 12 })
  .map((all) => all.join(" "));
const templates = fc
  .array(
    fc.oneof(
      fc.constantFrom(...templatePlaceholders).map((name) => `{${name}}`),
      fc.constantFrom("#{number}", "({set})", "-", "Card", "{set}/{number}"),
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((all) => all.join(" "));

test("whatever the card and template, a title fits and no word of it is cut", () => {
  fc.assert(
    fc.property(words, words, words, templates, (title, set, variant, template) => {
      const made = renderTitle(template, { ...serpent, title, set, variant });
      expect(made.length).toBeLessThanOrEqual(mostTitleLength);
      expect(made).toBe(made.trim());
      const known = new Set(
        renderWhole(template, { ...serpent, title, set, variant }).split(/[\s]+/),
      );
      for (const word of made.split(" ")) if (word !== "") expect(known).toContain(word);
    }),
  );
});

/** All that a template could say, in words. */
function renderWhole(template: string, card: CardState): string {
  return template
    .split(" ")
    .map((part) => renderTitle(part, card) || part)
    .concat(card.title ?? "", card.set ?? "", card.variant ?? "")
    .concat(`(${card.set ?? ""})`, `${card.set ?? ""}/${card.number ?? ""}`)
    .join(" ");
}

test("a text without spaces is cut between its words", () => {
  const text = "ピカチュウとイーブイの大冒険";
  const cut = cutAtWord(text, 9);
  expect(cut.length).toBeLessThanOrEqual(9);
  expect(text.startsWith(cut)).toBe(true);
  expect(cut).not.toBe("");
  expect(cutAtWord("x".repeat(90), 80)).toBe("");
});

test("a description leaves out lines of which nothing is known", () => {
  const template = "{title}\nSet: {set} {set_code}\nSerial: {serial_number}\n\nThank you.";
  expect(renderDescription(template, serpent)).toBe(
    "Charged Serpent\nSet: Storm Harbour STH\n\nThank you.",
  );
});

test("what is wrong with a template is said", () => {
  expect(templateProblem("{year} {sett}")).toContain("{sett}");
  expect(templateProblem("{year} {set")).toContain("brace");
  expect(templateProblem(short)).toBeNull();
});

test("the nearest template that says something holds", () => {
  const account = { title: "{set}", description: "By the account" };
  expect(templatesOf({ title: "{title}", description: null }, null, account)).toEqual({
    title: "{title}",
    description: "By the account",
  });
});
