import { describe, expect, test } from "vitest";
import { cardWith, usd } from "../card/fixtures.ts";
import type { CardState } from "../card/state.ts";
import { aspectsOf } from "./aspects.ts";
import { cardCategories, categoryOf } from "./category.ts";
import { listingProblems } from "./checks.ts";
import type { ListingPlan, SellerStanding } from "./checks.ts";

const card: CardState = {
  ...cardWith({}),
  status: "identified",
  workflowStatus: "priced",
  title: "Charged Serpent",
  game: "Runes of Avarra",
  sku: "CV-1",
  quantity: 1,
  askingPrice: usd(1_250),
  priceFloor: usd(900),
  condition: "near_mint",
  grading: null,
  openListing: null,
};
const plan: ListingPlan = {
  title: "Charged Serpent NM",
  price: usd(1_250),
  categoryId: cardCategories.collectible_card_game,
  photoCount: 1,
};
const seller: SellerStanding = {
  notConnected: null,
  hasPaymentPolicy: true,
  hasReturnPolicy: true,
  hasFulfillmentPolicy: true,
  hasLocation: true,
};
const needs = {
  requiredAspects: ["Game", "Set"],
  graders: ["PSA", "BGS"],
  conditions: ["near_mint", "lightly_played"],
} as const;
const graded = (grader: string, grade: string) => ({
  condition: null,
  grading: { grader, grade, certNumber: null, qualifier: null },
});
const pathsOf = (
  change: Partial<CardState>,
  more: { plan?: Partial<ListingPlan>; seller?: Partial<SellerStanding> } = {},
): string[] =>
  listingProblems(
    { ...card, set: "Storm Harbour", ...change },
    { ...plan, ...more.plan },
    { ...seller, ...more.seller },
    needs,
  ).map(({ path }) => path);

describe("checks before publishing", () => {
  test("a card that has everything fails none", () => {
    expect(pathsOf({})).toEqual([]);
    expect(pathsOf(graded("psa", "10"))).toEqual([]);
  });

  test.each<[string, Partial<CardState>, Parameters<typeof pathsOf>[1], string[]]>([
    ["a stage too early", { workflowStatus: "imported" }, {}, ["workflow_status"]],
    ["no copy", { quantity: 0 }, {}, ["quantity"]],
    ["no SKU", { sku: null }, {}, ["sku"]],
    ["no price at all", { askingPrice: null }, { plan: { price: null } }, ["price"]],
    ["a price of nothing", { priceFloor: null }, { plan: { price: usd(0) } }, ["price"]],
    ["a price below the floor", {}, { plan: { price: usd(899) } }, ["price"]],
    ["no photo", {}, { plan: { photoCount: 0 } }, ["photos"]],
    ["no category", {}, { plan: { categoryId: null } }, ["category_id", "game"]],
    ["a title of nothing", {}, { plan: { title: " " } }, ["title"]],
    ["a title too long", {}, { plan: { title: "x".repeat(81) } }, ["title"]],
    ["neither condition nor grading", { condition: null }, {}, ["condition"]],
    ["a condition that is not taken there", { condition: "damaged" }, {}, ["condition"]],
    ["a grader that is not known there", graded("XYZ", "9"), {}, ["grading.grader"]],
    ["a grading without a grade", graded("PSA", " "), {}, ["grading.grade"]],
    ["a specific that is needed", { set: null }, {}, ["set"]],
    ["no connection", {}, { seller: { notConnected: "Connect" } }, ["marketplace"]],
    [
      "nothing chosen",
      {},
      {
        seller: {
          hasPaymentPolicy: false,
          hasReturnPolicy: false,
          hasFulfillmentPolicy: false,
          hasLocation: false,
        },
      },
      [
        "marketplace.payment_policy",
        "marketplace.return_policy",
        "marketplace.fulfillment_policy",
        "marketplace.location",
      ],
    ],
  ])("%s", (_, change, more, paths) => {
    expect(pathsOf(change, more)).toEqual(paths);
  });

  test("all at once", () => {
    const paths = pathsOf(
      { condition: null, sku: null, set: null },
      { plan: { photoCount: 0 }, seller: { hasLocation: false } },
    );
    expect(paths).toEqual(["sku", "photos", "condition", "set", "marketplace.location"]);
  });

  test("what the marketplace could not be asked for is left to it", () => {
    expect(listingProblems({ ...card, ...graded("XYZ", "9") }, plan, seller, null)).toEqual([]);
  });
});

test.each<[string | null, string | null, string | null, string | null]>([
  ["Runes of Avarra", null, null, "183454"],
  ["Baseball", null, "183454", "261328"],
  ["Ice Hockey", null, null, "261328"],
  ["Non-Sport", null, null, "183050"],
  [null, null, "183050", "183050"],
  [null, "Harbour Gulls", null, "261328"],
  [null, null, null, null],
])("game %s, team %s, account's %s: category %s", (game, team, fallback, expected) => {
  expect(categoryOf({ game, team }, fallback)).toBe(expected);
});

test("aspects are those of the category, and nothing that is not known", () => {
  const facts = {
    ...card,
    set: "Storm Harbour",
    number: "12/180",
    rarity: "rare",
    language: "en",
    year: 2024,
    subject: "Charged Serpent",
    isAutograph: true,
    printRun: 99,
    ...graded("PSA", "10"),
  };
  expect(aspectsOf(facts, cardCategories.collectible_card_game)).toEqual({
    Game: ["Runes of Avarra"],
    Set: ["Storm Harbour"],
    "Card Name": ["Charged Serpent"],
    Character: ["Charged Serpent"],
    Rarity: ["rare"],
    "Card Number": ["12/180"],
    Language: ["English"],
    "Year Manufactured": ["2024"],
    Graded: ["Yes"],
    "Professional Grader": ["PSA"],
    Grade: ["10"],
    Autographed: ["Yes"],
    "Print Run": ["99"],
    Features: ["Serial Numbered"],
  });
  const player = { ...facts, game: "Baseball", team: "Gulls", isRookie: true, variant: "Gold" };
  expect(aspectsOf(player, cardCategories.sport)).toMatchObject({
    Sport: ["Baseball"],
    "Player/Athlete": ["Charged Serpent"],
    Team: ["Gulls"],
    "Parallel/Variety": ["Gold"],
    Season: ["2024"],
    Features: ["Rookie", "Serial Numbered"],
  });
  expect(aspectsOf(player, cardCategories.sport)).not.toHaveProperty("Game");
});
