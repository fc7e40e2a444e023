import { createHash } from "node:crypto";
import { createLogger, toUuid } from "@cardvault/kit";
import { createMemoryTurns, createMarketplaces, readProvidersConfig } from "@cardvault/providers";
import { createMemoryStore, startSimulators } from "@cardvault/simulators";
import type { Simulators } from "@cardvault/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SessionPrincipal } from "../context.ts";
import { codeFrom, errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { answerConsent } from "./connect-answer.ts";
import { openMarketplace } from "./open-marketplace.ts";

const callback = "https://vault.example.com/auth/marketplace/callback";
let house: House;
let simulators: Simulators;
let serial = 0;
let live: Dealer;
let owner: SessionPrincipal;
let asOwner: Dealer["asOwner"];

beforeAll(async () => {
  house = await openHouse();
  simulators = await startSimulators({ store: createMemoryStore(), clock: house.clock });
  const logger = createLogger({ name: "test", level: "silent" });
  house.services.marketplaces = createMarketplaces(
    { logger, turns: createMemoryTurns(), random: () => 0 },
    readProvidersConfig({
      SANDBOX_URL: simulators.url,
      EBAY_URL: `${simulators.url}/ebay`,
      EBAY_CONSENT_URL: `${simulators.url}/ebay`,
      EBAY_CLIENT_ID: "vault-app",
      EBAY_CLIENT_SECRET: "vault-secret",
      EBAY_RU_NAME: callback,
    }),
    () => house.clock.now(),
  );
});
afterAll(async () => {
  await house.close();
  await simulators.stop();
});
beforeEach(async () => {
  serial += 1;
  live = await house.dealer(`Live ${serial}`);
  owner = { ...live.owner, sessionId: `session-${serial}` };
  asOwner = house.caller(owner);
});

async function control(seller: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${simulators.url}/control/ebay/${seller}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Goes through eBay's page. Answers what the browser comes back with. */
async function consent(options: Record<string, string> = {}) {
  const { consent_url } = await asOwner.marketplace.connect();
  const page = new URL(consent_url ?? "");
  page.searchParams.set("login_hint", `seller-${serial}`);
  for (const [name, value] of Object.entries(options)) page.searchParams.set(name, value);
  const answer = await fetch(page, { redirect: "manual" });
  const back = new URL(answer.headers.get("location") ?? "");
  return Object.fromEntries(back.searchParams) as { state: string; code?: string };
}

async function connected(): Promise<void> {
  expect(await answerConsent(house.services, owner, await consent())).toBe("connected");
}

const rowOf = async ({ account }: Dealer) => {
  const [row] = await house.db.query<{ id: string; refresh_token: string; status: string }>(
    `select c.id, refresh_token, status from marketplace_connection c
     join account a on a.id = c.account_id where a.name = $1`,
    [account.name],
  );
  return row;
};

async function trailOf(dealer: Dealer): Promise<string[]> {
  const { data } = await dealer.asOwner.accounts.trail({});
  return data.map(({ action }) => action).filter((action) => action.startsWith("marketplace."));
}

describe("an owner connects a live account", () => {
  test("agrees at eBay: the token is sealed, and what there is only one of is chosen", async () => {
    expect(await asOwner.marketplace.connection()).toMatchObject({
      status: "disconnected",
      is_sandbox: false,
      missing: ["payment_policy", "return_policy", "fulfillment_policy", "location"],
    });
    await connected();
    expect(await asOwner.marketplace.connection()).toEqual({
      marketplace: "ebay",
      status: "connected",
      is_sandbox: false,
      connected_at: house.clock.now().toISOString(),
      connected_by: `Live ${serial} owner`,
      consent_ends_at: new Date(house.clock.now().getTime() + 47_304_000_000).toISOString(),
      revoked_at: null,
      choices: {
        payment_policy_id: "6196947000",
        return_policy_id: "6196944000",
        fulfillment_policy_id: "6196932000",
        location_key: "default",
        category_id: null,
      },
      missing: [],
      open_listings: 0,
    });
    const row = await rowOf(live);
    expect(row?.refresh_token).toMatch(/^v1\.test\./);
    const opened = await openMarketplace(house.services, live.account.id);
    if (!opened.isOpen) throw new Error(opened.message);
    expect(house.services.secretBox.open(row?.refresh_token ?? "", row?.id ?? "")).toBe(
      opened.seller.refreshToken,
    );
    expect(() =>
      house.services.secretBox.open(row?.refresh_token ?? "", "another row's id"),
    ).toThrow("does not open");
    expect(await opened.port.findOffer(opened.seller, "none")).toMatchObject({ offer: null });
    expect(await trailOf(live)).toEqual(["marketplace.connected"]);
  });

  test("a state counts once, in its session, for half an hour", async () => {
    const back = await consent();
    const { services } = house;
    const state = createHash("sha256").update("another").digest("base64url");
    const code = back.code;
    for (const [person, query] of [
      [null, back],
      [{ ...owner, sessionId: "another" }, back],
      [{ ...owner, sessionId: undefined }, back],
      [{ ...owner, userId: "another" }, back],
      [owner, { ...back, state }],
      [owner, { code }],
      [owner, { ...back, state: [back.state] }],
      [owner, { ...back, state: "x".repeat(10_000) }],
    ] as const) {
      expect(await answerConsent(services, person, query)).toBe("expired");
    }
    expect(await answerConsent(services, owner, back)).toBe("connected");
    expect(await answerConsent(services, owner, back)).toBe("expired");
    const late = await consent();
    house.clock.advance(30 * 60_000 + 1);
    expect(await answerConsent(services, owner, late)).toBe("expired");
  });

  test("does not agree, or comes with a code that eBay never gave", async () => {
    const declined = await consent({ prompt: "decline" });
    expect(await answerConsent(house.services, owner, declined)).toBe("declined");
    const { state } = await consent();
    const forged = { state, code: "v^1.1#i^1#code#e30" };
    expect(await answerConsent(house.services, owner, forged)).toBe("failed");
    expect(await rowOf(live)).toBeUndefined();
  });

  test("who is no owner any more connects nothing", async () => {
    const back = await consent();
    await house.db.query(`update member set role = 'member' where user_id = $1`, [owner.userId]);
    expect(await answerConsent(house.services, owner, back)).toBe("failed");
    expect(await rowOf(live)).toBeUndefined();
  });

  test("connected anew, to the same choices as far as they are there", async () => {
    await connected();
    await asOwner.marketplace.saveSetup({ fulfillment_policy_id: "6196933000" });
    const before = await rowOf(live);
    await connected();
    const after = await rowOf(live);
    expect(after?.id).not.toBe(before?.id);
    expect((await asOwner.marketplace.connection()).choices.fulfillment_policy_id).toBe(
      "6196933000",
    );
  });

  test("without an application at eBay there is nothing to connect to", async () => {
    const { live: port, sandbox } = house.services.marketplaces;
    house.services.marketplaces = { live: null, sandbox };
    const connection = await asOwner.marketplace.connection();
    const code = await codeFrom(asOwner.marketplace.connect());
    house.services.marketplaces = { live: port, sandbox };
    expect([connection.status, code]).toEqual(["unavailable", "conflict"]);
  });
});

describe("what listings are made with", () => {
  test("is chosen of what the seller has; nothing else is", async () => {
    await connected();
    const setup = await asOwner.marketplace.setup();
    expect(setup.fulfillment_policies.map(({ id, is_default }) => [id, is_default])).toEqual([
      ["6196932000", true],
      ["6196933000", false],
    ]);
    const saved = await asOwner.marketplace.saveSetup({
      fulfillment_policy_id: "6196933000",
      category_id: "261328",
      location_key: null,
    });
    expect(saved.choices).toMatchObject({
      payment_policy_id: "6196947000",
      fulfillment_policy_id: "6196933000",
      location_key: null,
      category_id: "261328",
    });
    expect(saved.missing).toEqual(["location"]);
    const error = await errorFrom(
      asOwner.marketplace.saveSetup({ payment_policy_id: "1", location_key: "gone" }),
    );
    expect(error.code).toBe("validation_failed");
    expect(error.details?.map(({ path }) => path)).toEqual(["payment_policy_id", "location_key"]);
    expect(await codeFrom(asOwner.marketplace.saveSetup({ category_id: "1" }))).toBe(
      "validation_failed",
    );
    expect(await codeFrom(asOwner.marketplace.saveSetup({}))).toBe("validation_failed");
    expect((await asOwner.marketplace.connection()).choices).toEqual(saved.choices);
    expect(await trailOf(live)).toEqual(["marketplace.setup_changed", "marketplace.connected"]);
  });

  test("a seller without a location makes one, once for the same input", async () => {
    await control(`seller-${serial}`, "options", { is_set_up: false });
    await connected();
    expect((await asOwner.marketplace.connection()).missing).toHaveLength(4);
    const place = { name: "Shop", country: "US", postal_code: "43215" };
    const made = await asOwner.marketplace.createLocation(place);
    expect(await asOwner.marketplace.createLocation(place)).toEqual(made);
    await asOwner.marketplace.createLocation({ ...place, postal_code: "10001" });
    const { locations } = await asOwner.marketplace.setup();
    expect(locations).toHaveLength(2);
    expect(locations.map(({ key }) => key)).toContain(made.choices.location_key);
    expect((await asOwner.marketplace.connection()).choices).toEqual(made.choices);
    expect(await codeFrom(asOwner.marketplace.createLocation({ ...place, country: "usa" }))).toBe(
      "validation_failed",
    );
  });

  test("of an account that is not connected there is nothing", async () => {
    for (const call of [
      () => asOwner.marketplace.setup(),
      () => asOwner.marketplace.saveSetup({ location_key: "default" }),
      () => asOwner.marketplace.createLocation({ name: "A", country: "US", postal_code: "1" }),
      () => asOwner.marketplace.disconnect({}),
    ]) {
      expect(await codeFrom(call())).toBe("conflict");
    }
  });
});

describe("a consent ends", () => {
  test("whoever finds it out writes it down, and the account is told once", async () => {
    await connected();
    const opened = await openMarketplace(house.services, live.account.id);
    if (!opened.isOpen) throw new Error(opened.message);
    await control(`seller-${serial}`, "consent", { state: "revoked" });
    const calls = await Promise.all([
      opened.port.findOffer(opened.seller, "a"),
      opened.port.readSetup(opened.seller),
      opened.port.withdrawOffer(opened.seller, "1"),
    ]);
    expect(calls.map((result) => !result.ok && result.code)).toEqual(
      Array.from({ length: 3 }, () => "consent_revoked"),
    );
    expect(await asOwner.marketplace.connection()).toMatchObject({
      status: "revoked",
      revoked_at: house.clock.now().toISOString(),
    });
    expect(await openMarketplace(house.services, live.account.id)).toMatchObject({
      isOpen: false,
      code: "consent_revoked",
    });
    const { data } = await asOwner.notices.list({});
    expect(data.map(({ kind }) => kind)).toEqual(["marketplace_revoked"]);
    expect(await trailOf(live)).toEqual(["marketplace.revoked", "marketplace.connected"]);
    expect(await codeFrom(asOwner.marketplace.setup())).toBe("conflict");
    // Agreed to again: a call with the old token says nothing about the new consent.
    await connected();
    await control(`seller-${serial}`, "consent", { state: "revoked" });
    await opened.port.findOffer({ ...opened.seller, refreshToken: "gone" }, "a");
    expect((await asOwner.marketplace.connection()).status).toBe("connected");
  });

  test("an owner disconnects: open listings have to be acknowledged", async () => {
    await connected();
    const card = await asOwner.cards.create({ title: "Charged Serpent" });
    await house.db.query(
      `insert into listing (id, account_id, card_id, marketplace, status, title, format, price, quantity,
         quantity_sold, created_at, updated_at)
       select gen_random_uuid(), account_id, id, 'ebay', 'live', 'x', 'fixed_price', 100, 1, 0, now(), now()
       from card where id = $1`,
      [toUuid(card.id)],
    );
    const open = (await asOwner.marketplace.connection()).open_listings;
    expect(open).toBe(1);
    expect((await errorFrom(asOwner.marketplace.disconnect({}))).details).toHaveLength(1);
    const gone = await asOwner.marketplace.disconnect({ acknowledged: true });
    expect(gone).toMatchObject({ status: "disconnected", missing: { length: 4 } });
    expect(await rowOf(live)).toBeUndefined();
    expect(await trailOf(live)).toEqual(["marketplace.disconnected", "marketplace.connected"]);
  });
});

describe("a test account", () => {
  test("is connected from the start, and set up with what the sandbox has", async () => {
    const dealer = await house.dealer(`Test ${serial}`, { environment: "test" });
    expect(await dealer.asOwner.marketplace.connection()).toMatchObject({
      status: "connected",
      is_sandbox: true,
    });
    const [one, other] = await Promise.all([
      openMarketplace(house.services, dealer.account.id),
      openMarketplace(house.services, dealer.account.id),
    ]);
    for (const opened of [one, other]) {
      expect(opened).toMatchObject({
        isOpen: true,
        seller: { key: dealer.account.id },
        choices: { paymentPolicyId: "6196947000", locationKey: "default" },
      });
    }
    expect((await dealer.asOwner.marketplace.connection()).missing).toEqual([]);
    expect(await codeFrom(dealer.asOwner.marketplace.disconnect({ acknowledged: true }))).toBe(
      "conflict",
    );
  });

  test("whose consent is withdrawn in the sandbox is connected again without a page", async () => {
    const dealer = await house.dealer(`Test again ${serial}`, { environment: "test" });
    const { marketplace } = dealer.asOwner;
    await openMarketplace(house.services, dealer.account.id);
    await control(dealer.account.id, "consent", { state: "revoked" });
    expect(await codeFrom(marketplace.setup())).toBe("conflict");
    expect((await marketplace.connection()).status).toBe("revoked");
    // Still withdrawn there.
    expect(await codeFrom(marketplace.connect())).toBe("conflict");
    expect((await marketplace.connection()).status).toBe("revoked");
    await control(dealer.account.id, "consent", { state: "given" });
    expect(await marketplace.connect()).toMatchObject({
      consent_url: null,
      connection: { status: "connected", missing: [] },
    });
  });

  test("where the sandbox is away, is open all the same and set up later", async () => {
    const dealer = await house.dealer(`Test later ${serial}`, { environment: "test" });
    const fault = { protocol: "ebay", key: dealer.account.id, fault: "error" };
    const faults = `${simulators.url}/control/faults`;
    await fetch(faults, { method: "POST", body: JSON.stringify(fault) });
    expect(await openMarketplace(house.services, dealer.account.id)).toMatchObject({
      isOpen: true,
      choices: { paymentPolicyId: null },
    });
    await fetch(faults, { method: "DELETE" });
    expect(await openMarketplace(house.services, dealer.account.id)).toMatchObject({
      choices: { paymentPolicyId: "6196947000" },
    });
  });
});
