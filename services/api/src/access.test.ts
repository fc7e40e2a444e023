import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let anna: Dealer;
let ben: Dealer;

beforeAll(async () => {
  house = await openHouse();
  anna = await house.dealer("Anna");
  ben = await house.dealer("Ben");
});
afterAll(() => house.close());

/** An answer without what differs between any two requests. */
async function plainAnswer(token: string, method: string, url: string, body?: unknown) {
  const sent = body === undefined ? {} : { payload: body as object };
  const response = await house.call(token, method, url, sent);
  const { "x-request-id": requestId, ...headers } = response.headers;
  return {
    status: response.statusCode,
    body: response.body.replaceAll(String(requestId), "req"),
    type: headers["content-type"],
    limit: headers["x-ratelimit-limit"],
  };
}

describe("another account's ids answer like ids that never were", () => {
  const never = {
    card: "card_01kjn2z6g0fgz9pqafd9r83gq3",
    batch: "batch_01kjn2z6g0fgz9pqafd9r83gq3",
  };
  const price = { asking_price: { amount: 1250, currency: "USD" } };

  test.each([
    ["GET", (card: string) => `/cards/${card}`, undefined],
    ["PATCH", (card: string) => `/cards/${card}`, price],
    ["PATCH", (card: string) => `/cards/${card}`, {}],
  ] as const)("%s of a card", async (method, urlOf, body) => {
    const before = await house.dump(ben);
    const others = await plainAnswer(anna.token, method, urlOf(ben.cards[0].id), body);
    expect(others).toEqual(await plainAnswer(anna.token, method, urlOf(never.card), body));
    expect(others.status).toBe(404);
    expect(await house.dump(ben)).toEqual(before);
    expect((await plainAnswer(ben.token, method, urlOf(ben.cards[0].id), {})).status).toBe(200);
  });

  test("the cards of a batch", async () => {
    const others = await plainAnswer(anna.token, "GET", `/batches/${ben.batch.id}/cards`);
    expect(others).toEqual(await plainAnswer(anna.token, "GET", `/batches/${never.batch}/cards`));
    expect(others.status).toBe(404);
  });

  test("filters", async () => {
    for (const [url, own] of [
      [`/cards?batch=${ben.batch.id}`, `/cards?batch=${never.batch}`],
      [`/listings?card=${ben.cards[0].id}`, `/listings?card=${never.card}`],
    ] as const) {
      const others = await plainAnswer(anna.token, "GET", url);
      expect(others).toEqual(await plainAnswer(anna.token, "GET", own));
      expect(JSON.parse(others.body)).toMatchObject({ data: [] });
    }
  });

  test("lists hold the own account's rows alone", async () => {
    for (const [url, ids] of [
      ["/cards", anna.cards.map(({ id }) => id)],
      ["/batches", [anna.batch.id]],
      ["/listings", []],
    ] as const) {
      const { body } = await plainAnswer(anna.token, "GET", url);
      const { data } = JSON.parse(body) as { data: { id: string }[] };
      expect(data.map(({ id }) => id).sort()).toEqual([...ids].sort());
    }
  });
});

describe("tokens", () => {
  test("a revoked key is refused by the next request", async () => {
    const { token, keyId } = await house.key(anna, ["cards:read"]);
    expect((await house.call(token, "GET", "/cards")).statusCode).toBe(200);
    await anna.asOwner.keys.revoke({ id: keyId });
    const response = await house.call(token, "GET", "/cards");
    expect(response.json()).toMatchObject({ error: { code: "revoked_token", status: 401 } });
    expect(response.headers["www-authenticate"]).toBe('Bearer realm="vault"');
  });

  test("each operation needs its scopes", async () => {
    const { token } = await house.key(anna, ["cards:read"]);
    expect((await house.call(token, "GET", "/cards")).statusCode).toBe(200);
    for (const [method, url] of [
      ["PATCH", `/cards/${anna.cards[0].id}`],
      ["GET", "/batches"],
      ["GET", `/batches/${anna.batch.id}/cards`],
      ["GET", "/listings"],
    ] as const) {
      const response = await house.call(token, method, url);
      expect(response.json()).toMatchObject({ error: { code: "insufficient_scope", status: 403 } });
    }
  });

  test("no session procedure is reachable with one, by no path", async () => {
    for (const path of ["/trpc/keys.list", "/trpc/cards.list"]) {
      const response = await house.call(anna.token, "GET", `${path}?input=%7B%7D`);
      expect(response.statusCode).toBe(401);
    }
    for (const path of ["/keys", "/keys/list", "/events", "/accounts", "/webhooks/endpoints"]) {
      const response = await house.call(anna.token, "GET", path);
      expect(response.json()).toMatchObject({ error: { code: "route_not_found" } });
    }
  });
});

describe("limits and request ids stand on every kind of answer", () => {
  test.each([
    ["a list", "GET", "/cards", 200],
    ["HEAD", "HEAD", "/cards", 200],
    ["an unknown card", "GET", "/cards/card_x", 404],
    ["an unknown path", "GET", "/nothing", 404],
    ["version 2", "GET", "/v2/cards", 404],
    ["a wrong method", "DELETE", "/cards", 405],
    ["OPTIONS", "OPTIONS", "/cards", 405],
    ["a wrong query", "GET", "/cards?limit=x", 400],
    ["a wrong body", "PATCH", "/cards/card_x", 415],
  ])("%s", async (_name, method, url, status) => {
    for (const token of [anna.token, undefined]) {
      const text = { payload: "x", headers: { "content-type": "text/plain" } };
      const response = await house.call(token, method, url, status === 415 ? text : {});
      const withoutToken =
        status === 404 && !url.startsWith("/cards") ? 404 : status === 405 ? 405 : 401;
      expect(response.statusCode).toBe(token === undefined ? withoutToken : status);
      expect(response.headers).toMatchObject({
        "x-ratelimit-limit": expect.stringMatching(/^\d+$/) as string,
        "x-ratelimit-remaining": expect.stringMatching(/^\d+$/) as string,
        "x-ratelimit-reset": expect.stringMatching(/^\d+$/) as string,
        "x-request-id": expect.stringMatching(/^req_[0-9a-z]{26}$/) as string,
      });
    }
  });

  test("the 61st read of a key in a minute is refused, and another key is not", async () => {
    const { token } = await house.key(anna, ["cards:read"]);
    for (let i = 0; i < 60; i += 1) await house.call(token, "GET", "/cards/card_x");
    const response = await house.call(token, "GET", "/cards");
    expect(response.json()).toMatchObject({ error: { code: "rate_limit_exceeded", status: 429 } });
    expect(Number(response.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    // Another key of the account has windows of its own.
    const other = await house.key(anna, ["cards:read"]);
    expect((await house.call(other.token, "GET", "/cards")).statusCode).toBe(200);
  });
});
