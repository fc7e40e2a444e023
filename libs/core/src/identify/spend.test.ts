import { createLogger } from "@cardvault/kit";
import { createProviders, readProvidersConfig, spendingAt } from "@cardvault/providers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operatorAccess } from "../accounts/operator-access.ts";
import { codeFrom } from "../test-house.ts";
import type { Dealer } from "../test-house.ts";
import { runChunk, runToEnd } from "../work/test-run.ts";
import { providerHandlers } from "./bulk/handlers.ts";
import { enginesOf } from "./provider-engines.ts";
import { setProviderCap } from "./set-provider-cap.ts";
import { openSandbox } from "./test-sandbox.ts";
import type { Sandbox } from "./test-sandbox.ts";

let sandbox: Sandbox;
let dealer: Dealer;
let serial = 0;

beforeAll(async () => {
  sandbox = await openSandbox();
  const { url } = sandbox.simulators;
  // A live account's providers, by the installation's own configuration.
  const config = readProvidersConfig({
    RECOGNITION_PROVIDER: "cardsight",
    CARDSIGHT_API_KEY: "key",
    CARDSIGHT_URL: `${url}/cardsight`,
    CARDSIGHT_CALL_COST: "5000",
    GENERATIVE_PROVIDER: "google",
    GENERATIVE_MODEL: "a-model",
    GENERATIVE_API_KEY: "key",
    GENERATIVE_URL: `${url}/google`,
    PRICE_SOURCES: "cardsight",
    PROVIDER_CALL_COSTS: "google=2000",
    PROVIDER_MONTHLY_CAPS: "cardsight=10000,google=4000",
  });
  const logger = createLogger({ name: "test", level: "silent" });
  const turns = { take: () => Promise.resolve(0), hold: () => Promise.resolve() };
  sandbox.house.services.engines = enginesOf(
    createProviders({ logger, turns, random: () => 0 }, config),
    null,
    (provider) => spendingAt(config, provider),
  );
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  serial += 1;
  dealer = await sandbox.house.dealer(`Spender ${serial}`, { environment: "live" });
  sandbox.requests.length = 0;
});

const card = () => sandbox.card(dealer, "applied");
const cards = async (count: number) => {
  const made = [];
  for (let index = 0; index < count; index += 1) made.push(await card());
  return made;
};
const identify = (card: { id: string }, by = dealer) =>
  by.asOwner.identifications.identify({ card_id: card.id });
const asked = (protocol: string): number =>
  sandbox.requests.filter((request) => request.protocol === protocol).length;
const allow = async (engine: string, micros: number | null): Promise<void> => {
  const access = await operatorAccess(sandbox.house.db, dealer.account.id, "op");
  await setProviderCap(sandbox.house.services, access, { engine, micros });
};

describe("at its cap a provider counts as one that is away", () => {
  test("the next one is asked; where none is left, the contract's rules decide", async () => {
    const five = await card();
    const [one, two, three, four] = [await card(), await card(), await card(), await card()];
    for (const each of [one, two]) {
      expect((await identify(each)).attempts).toMatchObject([{ outcome: "match" }]);
    }
    const { attempts } = await identify(three);
    expect(attempts.map(({ provider }) => provider)).toEqual([
      "image_recognition",
      "generative_ai",
    ]);
    await identify(four);
    expect([asked("cardsight"), asked("google")]).toEqual([2, 2]);
    expect(await codeFrom(identify(five))).toBe("identification_failed");
    const failed = await dealer.asOwner.cards.get({ id: five.id });
    expect(failed).toMatchObject({ needs_review: true, review_reason: "providers_failed" });
    const { data } = await dealer.asOwner.identifications.list({ card_id: five.id });
    expect(data[0]?.attempts.map(({ error }) => error)).toEqual(["budget_spent", "budget_spent"]);
    expect([asked("cardsight"), asked("google")]).toEqual([2, 2]);
    expect(await dealer.asOwner.identifications.usage()).toMatchObject({
      spent_micros: 14_000,
      engines: [
        { engine: "cardsight", calls: 2, cost_micros: 10_000, cap_micros: 10_000 },
        { engine: "google", calls: 2, cost_micros: 4_000, cap_micros: 4_000 },
      ],
    });
  });

  test("another account has its own money, and an operator may give more", async () => {
    await allow("cardsight", 0);
    await allow("google", 0);
    const known = await card();
    expect(await codeFrom(identify(known))).toBe("identification_failed");
    const other = await sandbox.house.dealer(`Other ${serial}`, { environment: "live" });
    await identify(await sandbox.card(other, "applied"), other);
    expect((await other.asOwner.identifications.usage()).spent_micros).toBe(5_000);
    expect((await dealer.asOwner.identifications.usage()).spent_micros).toBe(0);
    await allow("cardsight", null);
    const next = await card();
    expect(await identify(next)).toMatchObject({ identified: true });
  });

  test("six calls at once spend what there is, and no more", async () => {
    const ends = await Promise.allSettled((await cards(6)).map((each) => identify(each)));
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    expect([asked("cardsight"), asked("google")]).toEqual([2, 2]);
    expect((await dealer.asOwner.identifications.usage()).spent_micros).toBe(14_000);
  });

  test("what a provider refuses is not billed; what it may have done is", async () => {
    const known = await card();
    await sandbox.fault(null, "cardsight", "unauthorized");
    await sandbox.fault(null, "google", "malformed");
    await codeFrom(identify(known));
    await sandbox.clearFaults();
    expect((await dealer.asOwner.identifications.usage()).engines).toMatchObject([
      { engine: "cardsight", calls: 1, failures: 1, cost_micros: 0 },
      { engine: "google", calls: 1, failures: 1, cost_micros: 2_000 },
    ]);
  });
});

describe("jobs wait for money", () => {
  const handlerOf = (kind: string) => {
    const handler = new Map(providerHandlers(sandbox.house.services)).get(kind);
    if (handler === undefined) throw new Error(`Nobody runs ${kind}`);
    return handler;
  };

  test("a job that identifies keeps its cards, says why it waits, and goes on", async () => {
    const all = await cards(6);
    const ids = all.map(({ id }) => id);
    const { id } = await dealer.asOwner.bulk.start({
      selection: { ids },
      action: { type: "identify" },
    });
    const handler = handlerOf("bulk.identify");
    await runChunk(sandbox.house, handler, id);
    const waiting = await dealer.asOwner.jobs.get({ id });
    expect(waiting).toMatchObject({
      status: "running",
      progress: { total: 6, done: 4, changed: 4, failed: 0, waiting: { code: "budget_spent" } },
    });
    const asked4 = sandbox.requests.length;
    for (let again = 0; again < 4; again += 1) await runChunk(sandbox.house, handler, id);
    expect(sandbox.requests).toHaveLength(asked4);
    expect((await dealer.asOwner.events.list({ event: ["identify.failed"] })).data).toEqual([]);
    await allow("cardsight", 1_000_000);
    await runToEnd(sandbox.house, handler, id);
    expect(await dealer.asOwner.jobs.get({ id })).toMatchObject({
      status: "done",
      progress: { done: 6, changed: 6, failed: 0, waiting: null },
    });
  });

  test("a job that looks prices up too", async () => {
    const known = await card();
    await identify(known);
    await allow("cardsight", 5_000);
    const { failures } = await dealer.asOwner.prices.lookUp({ card_id: known.id });
    expect(failures).toEqual([{ source: "cardsight", error: "error" }]);
    const { id } = await dealer.asOwner.bulk.start({
      selection: { ids: [known.id] },
      action: { type: "lookup_prices" },
    });
    const handler = handlerOf("bulk.lookup_prices");
    await runChunk(sandbox.house, handler, id);
    expect((await dealer.asOwner.jobs.get({ id })).progress).toMatchObject({
      done: 0,
      waiting: { code: "budget_spent" },
    });
    await allow("cardsight", null);
    await runToEnd(sandbox.house, handler, id);
    expect((await dealer.asOwner.jobs.get({ id })).progress).toMatchObject({ done: 1, changed: 1 });
  });
});
