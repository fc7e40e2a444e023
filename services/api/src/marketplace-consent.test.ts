import { accountHeader } from "@cardvault/contract";
import { openMarketplaces, readProvidersConfig } from "@cardvault/core";
import { createMemoryStore, startSimulators } from "@cardvault/simulators";
import type { Simulators } from "@cardvault/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, publicUrl } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let simulators: Simulators;
let dealer: Dealer;
let cookie: string;

beforeAll(async () => {
  house = await openHouse();
  simulators = await startSimulators({ store: createMemoryStore(), clock: house.clock });
  const { services } = house;
  services.marketplaces = openMarketplaces({
    ...services,
    config: readProvidersConfig({
      EBAY_URL: `${simulators.url}/ebay`,
      EBAY_CONSENT_URL: `${simulators.url}/ebay`,
      EBAY_CLIENT_ID: "vault-app",
      EBAY_CLIENT_SECRET: "vault-secret",
      EBAY_RU_NAME: `${publicUrl}/auth/marketplace/callback`,
    }),
  });
  dealer = await house.dealer("Anna");
  cookie = await house.cookie(dealer);
});
afterAll(async () => {
  await house.close();
  await simulators.stop();
});

/** What the browser does from the button on: our answer, eBay's page, and where that leads. */
async function consentPage(): Promise<string> {
  const response = await house.app.inject({
    method: "POST",
    url: "/trpc/marketplace.connect",
    headers: {
      cookie,
      origin: publicUrl,
      "content-type": "application/json",
      [accountHeader]: dealer.account.id,
    },
  });
  expect(response.statusCode).toBe(200);
  const { consent_url } = response.json<{ result: { data: { consent_url: string } } }>().result
    .data;
  const page = await fetch(consent_url, { redirect: "manual" });
  const location = page.headers.get("location") ?? "";
  expect(location.startsWith(`${publicUrl}/auth/marketplace/callback?`)).toBe(true);
  return location.slice(publicUrl.length);
}

/** A visit that comes from eBay's page: with the cookie, without an origin of ours. */
async function visit(url: string, headers: Record<string, string> = { cookie }) {
  const { statusCode, headers: answered } = await house.app.inject({ method: "GET", url, headers });
  expect(answered["cache-control"]).toBe("no-store");
  expect(answered["referrer-policy"]).toBe("no-referrer");
  return [statusCode, answered.location];
}

const leadsTo = (outcome: string) => [303, `/settings/marketplace?outcome=${outcome}`];

test("neither nobody nor somebody else can answer, nor the same person's other session", async () => {
  const back = await consentPage();
  const other = await house.dealer("Ben");
  for (const headers of [
    {},
    { cookie: await house.cookie(other) },
    { cookie: await house.cookie(dealer) },
    { authorization: `Bearer ${dealer.token}` },
  ]) {
    expect(await visit(back, headers)).toEqual(leadsTo("expired"));
  }
  expect((await dealer.asOwner.marketplace.connection()).status).toBe("disconnected");
  expect(await visit(back)).toEqual(leadsTo("connected"));
});

test("an owner comes back from eBay connected, and a second time with nothing", async () => {
  const back = await consentPage();
  expect(await visit(back)).toEqual(leadsTo("connected"));
  expect((await dealer.asOwner.marketplace.connection()).status).toBe("connected");
  expect(await visit(back)).toEqual(leadsTo("expired"));
});

test("an answer that is none", async () => {
  expect(await visit("/auth/marketplace/callback")).toEqual(leadsTo("expired"));
  const state = new URLSearchParams((await consentPage()).split("?")[1]).get("state") ?? "";
  const without = `/auth/marketplace/callback?state=${state}&error=access_denied`;
  expect(await visit(without)).toEqual(leadsTo("declined"));
  expect(await visit("/auth/marketplace/callback?state=a&state=b&code=c")).toEqual(
    leadsTo("expired"),
  );
  const posted = await house.app.inject({ method: "POST", url: "/auth/marketplace/callback" });
  expect(posted.statusCode).toBe(404);
});
