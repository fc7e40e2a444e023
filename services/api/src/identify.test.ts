import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eventSchemas } from "@cardvault/contract";
import type { IdentifyAnswer, PriceLookupAnswer, Scope } from "@cardvault/contract";
import { openEngines, readProvidersConfig, uploadPhoto } from "@cardvault/core";
import { allowLoopback, createGuardedClient, toUuid } from "@cardvault/kit";
import type { GuardedClient } from "@cardvault/kit";
import { createMemoryStore, drawSamplePhoto, startSimulators } from "@cardvault/simulators";
import type { SampleOutcome, Simulators } from "@cardvault/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openHouse } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let dealer: Dealer;
let simulators: Simulators;
let photoClient: GuardedClient;
let photoServer: Server;
let serial = 0;

beforeAll(async () => {
  photoClient = createGuardedClient({ allowAddress: allowLoopback });
  house = await openHouse();
  simulators = await startSimulators({ store: createMemoryStore(), clock: house.clock });
  const { services } = house;
  // A live account's providers, by the installation's own configuration.
  const config = readProvidersConfig({
    RECOGNITION_PROVIDER: "cardsight",
    CARDSIGHT_API_KEY: "key",
    CARDSIGHT_URL: `${simulators.url}/cardsight`,
    CARDSIGHT_CALL_COST: "5000",
    GENERATIVE_PROVIDER: "google",
    GENERATIVE_MODEL: "a-model",
    GENERATIVE_API_KEY: "key",
    GENERATIVE_URL: `${simulators.url}/google`,
    PRICE_SOURCES: "cardsight",
  });
  services.engines = openEngines({ ...services, config, withLocal: false }).engines;
  services.photoClient = photoClient;
  photoServer = createServer((req, res) => {
    const outcome = (req.url ?? "/").slice(1) as SampleOutcome;
    if (req.url === "/page") res.end("<!doctype html>");
    else if (req.url === "/gone") res.writeHead(404).end();
    else void drawSamplePhoto("EMC-12", outcome).then((bytes) => res.end(bytes));
  });
  await new Promise<void>((resolve) => {
    photoServer.listen(0, "127.0.0.1", resolve);
  });
});
afterAll(async () => {
  photoServer.close();
  await house.close();
  await photoClient.close();
  await simulators.stop();
});
beforeEach(async () => {
  serial += 1;
  house.clock.set(new Date("2026-03-01T10:00:00Z"));
  dealer = await house.dealer(`Dealer${serial}`);
});

const photoUrl = (path: string): string =>
  `http://127.0.0.1:${(photoServer.address() as AddressInfo).port}/${path}`;

async function cardWith(outcome: SampleOutcome): Promise<string> {
  const { id } = dealer.cards[1];
  const bytes = await drawSamplePhoto("EMC-12", outcome);
  const contentHash = createHash("sha256").update(bytes).digest();
  const file = { bytes, contentHash, byteSize: bytes.length };
  const { services } = house;
  const photo = await uploadPhoto(services, dealer.access, { name: "front.jpg" }, file);
  await dealer.asOwner.photos.attach({
    card_id: id,
    photos: [{ photo_id: photo.id, side: "front" }],
  });
  return id;
}

async function post(
  url: string,
  payload: object,
  { headers = {}, token = dealer.token }: { headers?: Record<string, string>; token?: string } = {},
) {
  const answer = await house.call(token, "POST", url, { payload, headers });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    json: answer.json<unknown>(),
    body: answer.body,
  };
}
const identify = (payload: object, more = {}) => post("/identify", payload, more);

async function failedEvents() {
  const rows = await house.services.db.query<{ body: string }>(
    `select body from webhook_event where account_id = $1 and type = 'identify.failed' order by id`,
    [toUuid(dealer.account.id)],
  );
  return rows.map(({ body }) => eventSchemas["identify.failed"].parse(JSON.parse(body)).data);
}

describe("POST /identify", () => {
  test("200: a card is identified, and a repeat under its key is answered and not done again", async () => {
    const card_id = await cardWith("applied");
    const headers = { "idempotency-key": "one" };
    const first = await identify({ card_id }, { headers });
    expect(first.status).toBe(200);
    expect(first.json as IdentifyAnswer).toMatchObject({
      card_id,
      identified: true,
      provider: "image_recognition",
      identification: { number: "12/142" },
    });
    const again = await identify({ card_id }, { headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const { data } = await dealer.asOwner.identifications.list({ card_id });
    expect(data).toHaveLength(1);
    expect(data[0]?.attempts[0]).toMatchObject({ engine: "cardsight", cost_micros: 5000 });
    const other = await identify({ card_id, dry_run: true }, { headers });
    expect(other.json).toMatchObject({ error: { code: "idempotency_key_reused" } });
  });

  test("422 identification_failed: its answer stands in the change's own commit, and is repeated", async () => {
    const card_id = await cardWith("both_failed");
    const headers = { "idempotency-key": "two" };
    const first = await identify({ card_id }, { headers });
    expect(first.json).toMatchObject({ error: { code: "identification_failed", status: 422 } });
    const again = await identify({ card_id }, { headers });
    expect([again.status, again.body]).toEqual([422, first.body]);
    expect(await failedEvents()).toHaveLength(1);
  });

  test("what it costs is counted, also without a card; a spent budget asks nobody who costs", async () => {
    await identify({ photo_url: photoUrl("applied") });
    expect(await dealer.asOwner.identifications.usage()).toEqual({
      budget_micros: null,
      spent_micros: 5000,
      engines: [
        { engine: "cardsight", calls: 1, failures: 0, cost_micros: 5000, cap_micros: null },
      ],
    });
    await dealer.asOwner.identifications.setBudget({ budget_micros: 5000 });
    const card_id = await cardWith("applied");
    const answer = await identify({ card_id });
    expect(answer.json).toMatchObject({ error: { code: "identification_failed" } });
    const { data } = await dealer.asOwner.identifications.list({ card_id });
    expect(data[0]?.attempts.map(({ error }) => error)).toEqual(["budget_spent", "budget_spent"]);
    await dealer.asOwner.identifications.setBudget({ budget_micros: null });
    house.clock.advance(61_000);
    expect((await identify({ card_id })).status).toBe(200);
  });

  test("a photo by its address: the answer only; nothing is stored", async () => {
    const before = await house.dump(dealer);
    const answer = await identify({ photo_url: photoUrl("applied") });
    expect(answer.json as IdentifyAnswer).toMatchObject({ card_id: null, identified: true });
    const unsure = await identify({ photo_url: photoUrl("low_confidence") });
    expect(unsure.json as IdentifyAnswer).toMatchObject({ card_id: null, identified: false });
    expect(await house.dump(dealer)).toEqual(before);
  });

  test("a photo by an address of ours is taken from where it lies, and nothing is fetched", async () => {
    const card_id = await cardWith("applied");
    const { photos } = await dealer.asOwner.cards.get({ id: card_id });
    const { services } = house;
    services.photoClient = undefined;
    const answer = await identify({ photo_url: photos[0]?.url });
    const other = await identify({ photo_url: photoUrl("applied") });
    services.photoClient = photoClient;
    expect(answer.json as IdentifyAnswer).toMatchObject({ card_id: null, identified: true });
    expect(other.json).toMatchObject({ error: { code: "photo_unavailable" } });
    expect(await dealer.asOwner.cards.get({ id: card_id })).toMatchObject({ status: "imported" });
  });

  test("a photo that both do not know fires its event with no card; a dry run fires nothing", async () => {
    const photo_url = photoUrl("both_failed");
    const dry = await identify({ photo_url, dry_run: true });
    expect([dry.status, await failedEvents()]).toEqual([422, []]);
    expect((await identify({ photo_url })).status).toBe(422);
    expect(await failedEvents()).toEqual([
      {
        card_id: null,
        photo_url,
        attempts: [
          { provider: "image_recognition", reason: "no_match" },
          { provider: "generative_ai", reason: "no_match" },
        ],
      },
    ]);
  });

  test.each(["page", "gone"])(
    "422 photo_unavailable for an address that has no photo: %s",
    async (path) => {
      const answer = await identify({ photo_url: photoUrl(path) });
      expect(answer.json).toMatchObject({ error: { code: "photo_unavailable", status: 422 } });
    },
  );

  test.each(["http://127.0.0.1:1/x.jpg", "http://169.254.169.254/x", "https://localhost/x.jpg"])(
    "422 photo_unavailable for an address inside: %s",
    async (photo_url) => {
      const answer = await identify({ photo_url });
      expect(answer.json).toMatchObject({ error: { code: "photo_unavailable" } });
      expect(answer.body).not.toMatch(/refused|ECONN|timed out/iu);
    },
  );

  test("404, 422, 400: an unknown card, one without a photo, a wrong body", async () => {
    const unknown = await identify({ card_id: "card_01kjn2z6g0fgz9pqafd9r83gq3" });
    expect(unknown.json).toMatchObject({ error: { code: "card_not_found", status: 404 } });
    const blank = await identify({ card_id: dealer.cards[1].id });
    expect(blank.json).toMatchObject({ error: { code: "photo_unavailable", status: 422 } });
    for (const body of [{}, { card_id: "x" }, { photo_url: "ftp://x/y" }]) {
      house.clock.advance(61_000);
      expect((await identify(body)).status).toBe(400);
    }
  });

  test("403: a card needs cards:write beside identify, a photo does not", async () => {
    const { token } = await house.key(dealer, ["identify"] satisfies Scope[]);
    const card = await identify({ card_id: dealer.cards[1].id }, { token });
    expect(card.json).toMatchObject({ error: { code: "insufficient_scope", status: 403 } });
    expect((await identify({ photo_url: photoUrl("applied") }, { token })).status).toBe(200);
  });

  test("429: five a minute, together with price lookups, and not also as writes", async () => {
    const identification = { title: "Nobody" };
    for (let call = 0; call < 5; call += 1) {
      const answer =
        call % 2 === 0
          ? await identify({ card_id: "card_01kjn2z6g0fgz9pqafd9r83gq3" })
          : await post("/price-lookup", { identification });
      expect(answer.headers["x-ratelimit-limit"]).toBe("5");
      expect(answer.headers["x-ratelimit-remaining"]).toBe(String(4 - call));
    }
    const over = await identify({ card_id: "x" });
    expect(over.json).toMatchObject({ error: { code: "rate_limit_exceeded", status: 429 } });
    expect(Number(over.headers["retry-after"])).toBeGreaterThan(0);
    const write = await house.call(dealer.token, "PATCH", `/cards/${dealer.cards[0].id}`, {
      payload: { notes: "x" },
    });
    expect(write.headers["x-ratelimit-remaining"]).toBe("19");
  });
});

describe("POST /price-lookup", () => {
  test("200: quotes and a suggestion; apply stores it, and a repeat under its key is no second one", async () => {
    const card_id = await cardWith("applied");
    await identify({ card_id });
    house.clock.advance(61_000);
    const answer = await post("/price-lookup", { card_id });
    const { quotes, suggestion } = answer.json as PriceLookupAnswer;
    expect(quotes.length).toBeGreaterThan(0);
    expect(suggestion).toMatchObject({ currency: "USD" });
    const headers = { "idempotency-key": "three" };
    const applied = await post("/price-lookup", { card_id, apply: true }, { headers });
    expect(applied.status).toBe(200);
    const card = await dealer.asOwner.cards.get({ id: card_id });
    expect(card).toMatchObject({ market_price: suggestion, asking_price: null });
    const again = await post("/price-lookup", { card_id, apply: true }, { headers });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await dealer.asOwner.cards.get({ id: card_id })).version).toBe(card.version);
  });

  test("400, 403, 404", async () => {
    expect((await post("/price-lookup", {})).status).toBe(400);
    const card_id = dealer.cards[0].id;
    const { token } = await house.key(dealer, ["prices"] satisfies Scope[]);
    expect((await post("/price-lookup", { card_id, apply: true }, { token })).status).toBe(403);
    expect((await post("/price-lookup", { card_id }, { token })).status).toBe(200);
    const unknown = await post("/price-lookup", { card_id: "card_01kjn2z6g0fgz9pqafd9r83gq3" });
    expect(unknown.json).toMatchObject({ error: { code: "card_not_found", status: 404 } });
  });
});
