import { ConfigError, createLogger } from "@cardvault/kit";
import { describe, expect, it } from "vitest";
import { createMemoryTurns } from "./call/turns.ts";
import { readProvidersConfig } from "./config.ts";
import { createProviders } from "./create-providers.ts";
import { createMarketplaces } from "./marketplace/create-marketplaces.ts";

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readProvidersConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const providersOf = (env: Record<string, string>) =>
  createProviders(
    { logger: createLogger({ name: "test", level: "silent" }), turns: createMemoryTurns() },
    readProvidersConfig(env),
  );

describe("the providers' configuration", () => {
  it("needs nothing, and then there is nobody", () => {
    const { live, sandbox } = providersOf({});
    const nobody = { recognition: null, generative: null, prices: [] };
    expect(live).toEqual(nobody);
    expect(sandbox("acc_1")).toEqual(nobody);
  });

  it.each([
    [{ RECOGNITION_PROVIDER: "cardsight" }, ["CARDSIGHT_API_KEY"]],
    [{ RECOGNITION_PROVIDER: "ximilar" }, ["XIMILAR_API_KEY"]],
    [{ GENERATIVE_PROVIDER: "google" }, ["GENERATIVE_MODEL", "GENERATIVE_API_KEY"]],
    [{ GENERATIVE_PROVIDER: "openai_compatible", GENERATIVE_MODEL: "m" }, ["GENERATIVE_URL"]],
    [
      { PRICE_SOURCES: "tcgdex,pricecharting,ebay_browse" },
      ["PRICECHARTING_TOKEN", "EBAY_CLIENT_ID", "EBAY_CLIENT_SECRET"],
    ],
    [{ EBAY_RU_NAME: "Vault-Vault-PRD-1" }, ["EBAY_CLIENT_ID", "EBAY_CLIENT_SECRET"]],
    [{ EBAY_MARKETPLACE_ID: "EBAY_XX" }, ["EBAY_MARKETPLACE_ID"]],
    [
      { RECOGNITION_PROVIDER: "nobody", PRICE_SOURCES: "tcgdex,nobody" },
      ["RECOGNITION_PROVIDER", "PRICE_SOURCES"],
    ],
    [
      { CARDSIGHT_URL: "ftp://s3cret.example", PRICE_TIMEOUT: "1h" },
      ["CARDSIGHT_URL", "PRICE_TIMEOUT"],
    ],
  ])("%j names %j, and no value", (env, names) => {
    const problems = problemsOf(env);
    expect(problems.map((it) => it.split(" ", 1).join("")).toSorted()).toEqual(names.toSorted());
    expect(problems.join()).not.toContain("s3cret");
  });

  it("makes the adapters that are chosen", () => {
    const { live } = providersOf({
      RECOGNITION_PROVIDER: "ximilar",
      XIMILAR_API_KEY: "k",
      GENERATIVE_PROVIDER: "openai_compatible",
      GENERATIVE_URL: "http://ollama:11434/",
      GENERATIVE_MODEL: "qwen2.5vl",
      PRICE_SOURCES: "scryfall, tcgdex",
    });
    expect(live.recognition?.provider).toBe("ximilar");
    expect(live.generative?.provider).toBe("openai_compatible");
    expect(live.prices.map(({ provider }) => provider)).toEqual(["scryfall", "tcgdex"]);
    expect(readProvidersConfig({ SANDBOX_URL: "http://sandbox:5002/" }).sandboxUrl).toBe(
      "http://sandbox:5002",
    );
  });

  it("sends test accounts to the sandbox alone", () => {
    const { live, sandbox } = providersOf({ SANDBOX_URL: "http://sandbox:5002" });
    expect(live.recognition).toBeNull();
    const set = sandbox("acc_1");
    expect(set.recognition?.provider).toBe("cardsight");
    expect(set.generative?.provider).toBe("google");
    expect(set.prices.map(({ provider }) => provider)).toEqual([
      "cardsight",
      "pricecharting",
      "ebay_browse",
    ]);
  });

  it("opens eBay to live accounts by its name for our address, and the sandbox to test accounts", () => {
    const house = {
      logger: createLogger({ name: "test", level: "silent" }),
      turns: createMemoryTurns(),
    };
    const marketplacesOf = (env: Record<string, string>) =>
      createMarketplaces(house, readProvidersConfig(env));
    expect(marketplacesOf({})).toEqual({ live: null, sandbox: null });
    const application = { EBAY_CLIENT_ID: "app", EBAY_CLIENT_SECRET: "s3cret" };
    expect(marketplacesOf(application).live).toBeNull();
    const { live, sandbox } = marketplacesOf({
      ...application,
      EBAY_RU_NAME: "Vault-Vault-PRD-1",
      SANDBOX_URL: "http://sandbox:5002",
    });
    expect(sandbox?.name).toBe("ebay");
    const page = new URL(live?.consentUrl("state") ?? "");
    expect(`${page.origin}${page.pathname}`).toBe("https://auth.ebay.com/oauth2/authorize");
    expect(page.searchParams.get("redirect_uri")).toBe("Vault-Vault-PRD-1");
    expect(page.href).not.toContain("s3cret");
  });
});
