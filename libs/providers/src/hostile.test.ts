import { identification, money } from "@cardvault/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanImageUrl, cleanText, identificationOf } from "./fields.ts";
import { openSandbox } from "./fixtures.ts";
import type { Sandbox } from "./fixtures.ts";
import { createGenerative } from "./generative/generative.ts";
import type { CardIdentifier, PriceSource } from "./ports.ts";
import { createCardSightPrices } from "./prices/cardsight-prices.ts";
import { createEbayBrowse } from "./prices/ebay-browse.ts";
import { createPriceCharting } from "./prices/pricecharting.ts";
import { createScryfallPrices } from "./prices/scryfall.ts";
import { createTcgdexPrices } from "./prices/tcgdex.ts";
import { createCardSight } from "./recognition/cardsight.ts";
import { createXimilar } from "./recognition/ximilar.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
  for (const protocol of [
    "cardsight",
    "ximilar",
    "google",
    "openai",
    "anthropic",
    "pricecharting",
    "tcgdex",
    "scryfall",
    "ebay",
  ]) {
    await sandbox.fault(protocol, "hostile");
  }
});
afterAll(() => sandbox.stop());

function expectUnharmed(): void {
  expect({}).not.toHaveProperty("polluted");
  expect(Object.prototype).not.toHaveProperty("polluted");
}

describe("a hostile answer to a picture is neutralised", () => {
  const adapters: readonly (readonly [string, () => CardIdentifier])[] = [
    ["cardsight", () => createCardSight(sandbox.house, sandbox.access("cardsight"))],
    ["ximilar", () => createXimilar(sandbox.house, sandbox.access("ximilar"))],
    ...(["google", "openai_compatible", "anthropic"] as const).map(
      (provider) =>
        [
          provider,
          () =>
            createGenerative(sandbox.house, {
              ...sandbox.access(provider === "openai_compatible" ? "openai" : provider),
              provider,
              model: "claude-sonnet-4-5",
            }),
        ] as const,
    ),
  ];

  test.each(adapters)("%s", async (_, make) => {
    const result = await make().identify(await sandbox.photo("applied"));
    if (!result.ok) {
      expect(result.code).toBe("malformed_answer");
    } else {
      for (const card of result.candidates) {
        expect(identification.parse(card.identification)).toEqual(card.identification);
        expect(card.confidence).toBeGreaterThanOrEqual(0);
        expect(card.confidence).toBeLessThanOrEqual(1);
        expect(card.imageUrl).toBeNull();
        expect(JSON.stringify(card)).not.toMatch(/<script|javascript:|\\u0000|polluted|169\.254/);
      }
    }
    expectUnharmed();
  });
});

describe("a hostile answer about prices is neutralised", () => {
  const question = {
    identification: {
      title: "Gilded Warden",
      set: "Ember Coast",
      set_code: "EMC",
      number: "12/142",
    },
    externalIds: {
      cardsight: "ca4d51b7-0000-4000-8000-454d43000012",
      pricecharting: "EMC-12",
      tcgdex: "EMC-12",
      scryfall: "EMC-12",
    },
    condition: null,
    grading: null,
  };
  const sources: readonly (readonly [string, () => PriceSource])[] = [
    ["cardsight", () => createCardSightPrices(sandbox.house, sandbox.access("cardsight"))],
    ["pricecharting", () => createPriceCharting(sandbox.house, sandbox.access("pricecharting"))],
    ["tcgdex", () => createTcgdexPrices(sandbox.house, sandbox.access("tcgdex"))],
    ["scryfall", () => createScryfallPrices(sandbox.house, sandbox.access("scryfall"))],
    [
      "ebay_browse",
      () =>
        createEbayBrowse(sandbox.house, {
          ...sandbox.access("ebay"),
          clientId: "app",
          currency: "USD",
        }),
    ],
  ];

  test.each(sources)("%s", async (_, make) => {
    const result = await make().quotes(question);
    if (!result.ok) throw new Error(result.code);
    for (const { price, low, high, asOf } of result.quotes ?? []) {
      for (const figure of [price, low, high]) {
        if (figure !== null) expect(money.parse(figure)).toEqual(figure);
      }
      expect(asOf.getTime()).toBeLessThanOrEqual(Date.now());
    }
    expectUnharmed();
  });
});

describe("fields", () => {
  test.each([
    ["<script>alert(1)</script>Serpent", "Serpent"],
    ["<b>Charged</b>\u0000 Serpent\u202e", "Charged Serpent"],
    ["  a \n\t b ", "a b"],
    ["<img src=x onerror=alert(1)>", null],
    ["1 < 2 > 0", "1 0"],
    ["", null],
  ])("%j becomes %j", (given, clean) => {
    expect(cleanText(given, 50)).toBe(clean);
  });

  test("are cut to the contract's maxima, between characters", () => {
    const long = identificationOf({
      title: "😀".repeat(500),
      number: "9".repeat(99),
      year: "99999",
    });
    expect(identification.parse(long)).toEqual(long);
    expect(long.title).not.toMatch(/[\ud800-\udbff]$/u);
  });

  test.each(["javascript:alert(1)", "http://a.example/x", "https://u:p@a.example/", "x", ""])(
    "%j is no address of a picture",
    (address) => {
      expect(cleanImageUrl(address)).toBeNull();
    },
  );
});
