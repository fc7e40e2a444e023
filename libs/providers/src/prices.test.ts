import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FaultKind } from "@cardvault/simulators";
import type { Access } from "./adapter.ts";
import { createMemoryTurns } from "./call/turns.ts";
import { openSandbox } from "./fixtures.ts";
import type { Sandbox } from "./fixtures.ts";
import type { PriceQuestion, PriceSource, ProviderFailureCode } from "./ports.ts";
import { createCardSightPrices } from "./prices/cardsight-prices.ts";
import { createEbayBrowse } from "./prices/ebay-browse.ts";
import { createPriceCharting } from "./prices/pricecharting.ts";
import { createScryfallPrices } from "./prices/scryfall.ts";
import { createTcgdexPrices } from "./prices/tcgdex.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.stop());

const card = {
  title: "Gilded Warden",
  set: "Ember Coast",
  set_code: "EMC",
  number: "12/142",
};
const externalIds = {
  cardsight: "ca4d51b7-0000-4000-8000-454d43000012",
  tcgdex: "EMC-12",
  scryfall: "EMC-12",
};
const question = (more: Partial<PriceQuestion> = {}): PriceQuestion => ({
  identification: card,
  externalIds,
  condition: null,
  grading: null,
  ...more,
});

type Make = (more?: Partial<Access>) => PriceSource;
const sources: readonly (readonly [protocol: string, make: Make])[] = [
  ["cardsight", (more) => createCardSightPrices(sandbox.house, sandbox.access("cardsight", more))],
  [
    "pricecharting",
    (more) => createPriceCharting(sandbox.house, sandbox.access("pricecharting", more)),
  ],
  ["tcgdex", (more) => createTcgdexPrices(sandbox.house, sandbox.access("tcgdex", more))],
  ["scryfall", (more) => createScryfallPrices(sandbox.house, sandbox.access("scryfall", more))],
  [
    "ebay",
    (more) => {
      const access = sandbox.access("ebay", more);
      return createEbayBrowse(sandbox.house, { ...access, clientId: access.key, currency: "USD" });
    },
  ],
];
const makeOf = (protocol: string): Make => {
  const make = sources.find(([name]) => name === protocol)?.[1];
  if (make === undefined) throw new Error(protocol);
  return make;
};
const quotesOf = async (protocol: string, asked: PriceQuestion) => {
  const result = await makeOf(protocol)().quotes(asked);
  if (!result.ok) throw new Error(result.code);
  return result.quotes;
};

const usd = (amount: number) => ({ amount, currency: "USD" });

describe("what sources say of a Rare card that typically costs 6.75 $", () => {
  test("cardsight: what was sold, and beside it what is asked", async () => {
    expect(await quotesOf("cardsight", question())).toEqual([
      {
        source: "cardsight",
        kind: "sold",
        price: usd(675),
        low: usd(608),
        high: usd(810),
        sampleSize: 5,
        asOf: new Date("2026-02-12"),
      },
      expect.objectContaining({ kind: "asking", price: usd(878), sampleSize: 3 }),
    ]);
  });

  test.each([
    [{ grader: "PSA", grade: "10" }, 6345],
    [{ grader: "BGS", grade: "10" }, 7560],
    [{ grader: "CGC", grade: "10" }, 5333],
    [{ grader: "SGC", grade: "10" }, 4793],
    [{ grader: "PSA", grade: "9.5" }, 2767],
    [{ grader: "PSA", grade: "9" }, 1958],
    [{ grader: "PSA", grade: "8" }, 1215],
    [{ grader: "PSA", grade: "7.5" }, 878],
    [null, 675],
  ])("pricecharting: the column of %j", async (grading, amount) => {
    expect(await quotesOf("pricecharting", question({ grading }))).toEqual([
      expect.objectContaining({ kind: "guide", price: usd(amount), sampleSize: null }),
    ]);
  });

  test("tcgdex: two markets in two currencies", async () => {
    expect(await quotesOf("tcgdex", question())).toEqual([
      expect.objectContaining({
        source: "tcgdex_tcgplayer",
        price: usd(675),
        low: usd(472),
        high: usd(1350),
        asOf: new Date("2026-02-14"),
      }),
      expect.objectContaining({
        source: "tcgdex_cardmarket",
        price: { amount: 608, currency: "EUR" },
      }),
    ]);
    const reverse = question({ identification: { ...card, variant: "Reverse Holo" } });
    expect((await quotesOf("tcgdex", reverse))?.[0]?.price).toEqual(usd(1080));
  });

  test("scryfall: by finish", async () => {
    expect(await quotesOf("scryfall", question())).toEqual([
      expect.objectContaining({ source: "scryfall", price: usd(675) }),
      expect.objectContaining({
        source: "scryfall_cardmarket",
        price: { amount: 608, currency: "EUR" },
      }),
    ]);
    const etched = question({ identification: { ...card, variant: "Etched Foil" } });
    expect((await quotesOf("scryfall", etched))?.[0]?.price).toBeNull();
  });

  test("ebay: what is asked for this card, not for what a search finds besides", async () => {
    expect(await quotesOf("ebay", question())).toEqual([
      expect.objectContaining({
        source: "ebay_browse",
        kind: "asking",
        price: usd(810),
        sampleSize: 5,
      }),
    ]);
    const graded = await quotesOf("ebay", question({ grading: { grader: "PSA", grade: "9" } }));
    expect(graded?.[0]).toMatchObject({ price: usd(2430), sampleSize: 5 });
  });
});

describe("where a source knows too little it says null", () => {
  test.each(["cardsight", "pricecharting", "tcgdex", "scryfall"])(
    "%s of a card that it cannot tell, without asking",
    async (protocol) => {
      const before = sandbox.requests.length;
      const unknown = question({ identification: { title: "Gilded Warden" }, externalIds: {} });
      expect(await quotesOf(protocol, unknown)).toBeNull();
      expect(sandbox.requests.length).toBe(before);
    },
  );

  test.each(["pricecharting", "tcgdex", "scryfall"])(
    "%s of a card that it does not know",
    async (protocol) => {
      const ids = { tcgdex: "nope-1", scryfall: "nope-1", pricecharting: "nope-1" };
      expect(await quotesOf(protocol, question({ externalIds: ids }))).toBeNull();
    },
  );

  test.each(["tcgdex", "scryfall"])("%s of a worn and of a graded card", async (protocol) => {
    expect(await quotesOf(protocol, question({ condition: "damaged" }))).toBeNull();
    expect(
      await quotesOf(protocol, question({ grading: { grader: "PSA", grade: "9" } })),
    ).toBeNull();
  });

  test("pricecharting of a grade that it has no column for", async () => {
    expect(
      await quotesOf("pricecharting", question({ grading: { grader: "PSA", grade: "4" } })),
    ).toBeNull();
  });

  test("pricecharting where its best product is another card", async () => {
    await sandbox.fault("pricecharting", "wrong_card", { key: "wrong" });
    const result = await makeOf("pricecharting")({ key: "wrong" }).quotes(question());
    expect(result).toMatchObject({ ok: true, quotes: null });
  });

  test("cardsight and ebay have quotes without a price where there are too few", async () => {
    const grading = { grader: "SGC", grade: "3" };
    expect(await quotesOf("cardsight", question({ grading }))).toEqual([
      expect.objectContaining({ price: null, low: null, high: null, sampleSize: 0 }),
    ]);
    const rare = question({ identification: { ...card, title: "Nobody's Card" } });
    expect(await quotesOf("ebay", rare)).toEqual([
      expect.objectContaining({ price: null, sampleSize: 0 }),
    ]);
  });
});

describe.each(sources)("%s", (protocol, make) => {
  const failures: readonly (readonly [FaultKind, ProviderFailureCode])[] = [
    ["error", "unavailable"],
    ["unavailable", "unavailable"],
    ["dropped", "unavailable"],
    ["rate_limited", "rate_limited"],
    ["unauthorized", "unauthorized"],
    ["quota", "quota"],
    ["html", "malformed_answer"],
    ["malformed", "malformed_answer"],
    ["huge", "malformed_answer"],
  ];
  test.each(failures)("%s is %s", async (fault, code) => {
    // Some have no key: the fault is the protocol's, for as many requests as one call sends.
    await sandbox.fault(protocol, fault);
    const result = await make().quotes(question());
    await sandbox.clear(protocol);
    sandbox.house = { ...sandbox.house, turns: createMemoryTurns() };
    expect(result).toMatchObject({ ok: false, code });
  });

  test.each(["slow", "drip"] as const)("%s ends at the deadline", async (fault) => {
    await sandbox.fault(protocol, fault, { remaining: 1, delay_ms: 60_000 });
    const result = await make({ deadlineMs: 400 }).quotes(question());
    expect(result).toMatchObject({ ok: false, code: "timeout" });
  });

  test("an answer of another shape is a failure or says nothing, and never a price", async () => {
    await sandbox.fault(protocol, "wrong_shape");
    const result = await make().quotes(question());
    await sandbox.clear(protocol);
    if (!result.ok) expect(result.code).toBe("malformed_answer");
    else expect((result.quotes ?? []).filter(({ price }) => price !== null)).toEqual([]);
  });

  test("nothing that the source wrote, and no key, is in a result or in plain sight", async () => {
    await sandbox.fault(protocol, "error");
    const result = await make().quotes(question());
    await sandbox.clear(protocol);
    expect(JSON.stringify(result)).not.toMatch(/internal detail|key-of-/u);
    expect(sandbox.logged()).toContain("internal detail");
    expect(sandbox.logged()).not.toContain(`key-of-${protocol}`);
  });
});

describe("what is sent", () => {
  const sent = (protocol: string) =>
    sandbox.requests.filter((it) => it.protocol === protocol).at(-1)?.request;

  test("pricecharting: token and id", async () => {
    await quotesOf("pricecharting", question({ externalIds: { pricecharting: "EMC-12" } }));
    expect(String(sent("pricecharting")?.query)).toBe("t=key-of-pricecharting&id=EMC-12");
  });

  test("cardsight: its own id of the card, and the key in its header", async () => {
    await quotesOf("cardsight", question());
    const { method, path, headers } = sent("cardsight") ?? {};
    expect([method, path]).toEqual(["GET", `/v1/pricing/${externalIds.cardsight}`]);
    expect(headers?.["x-api-key"]).toBe("key-of-cardsight");
  });

  test("tcgdex: its own id of the card, and no key", async () => {
    await quotesOf("tcgdex", question());
    const { method, path, headers } = sent("tcgdex") ?? {};
    expect([method, path]).toEqual(["GET", "/v2/en/cards/EMC-12"]);
    expect(headers).not.toHaveProperty("authorization");
  });

  test("scryfall: who asks", async () => {
    const magic = { ...card, game: "Magic: The Gathering" };
    await quotesOf("scryfall", question({ identification: magic, externalIds: {} }));
    expect(sent("scryfall")?.path).toBe("/cards/emc/12");
    expect(sent("scryfall")?.headers["user-agent"]).toMatch(/^CardVault\//);
    expect(sent("scryfall")?.headers.accept).toContain("application/json");
  });

  test("ebay: one token for many searches, in the header that its marketplace wants", async () => {
    const source = makeOf("ebay")({ key: "app-7" });
    await source.quotes(question());
    await source.quotes(question());
    const paths = sandbox.requests
      .filter(({ request }) => /app-7$|^Basic YXBwLTc6/.test(request.headers.authorization ?? ""))
      .map(({ request }) => request.path);
    expect(paths).toEqual([
      "/identity/v1/oauth2/token",
      "/buy/browse/v1/item_summary/search",
      "/buy/browse/v1/item_summary/search",
    ]);
    const search = sent("ebay");
    expect(search?.headers["x-ebay-c-marketplace-id"]).toBe("EBAY_US");
    expect(search?.query.get("filter")).toBe(
      "buyingOptions:{FIXED_PRICE},conditionIds:{4000},priceCurrency:USD",
    );
  });
});
