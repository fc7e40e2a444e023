import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createVaultClient, VaultApiError, VaultConnectionError } from "./index.ts";
import type { ClientOptions } from "./index.ts";

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
type Reply = (response: ServerResponse) => void;

const seen: Seen[] = [];
let replies: Reply[] = [];
let baseUrl = "";
let close: () => void;

beforeEach(async () => {
  seen.length = 0;
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => close());

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", headers } = request;
  seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
  // The last one stands for all that follow.
  const reply = replies.length > 1 ? replies.shift() : replies[0];
  reply?.(response);
}

const vault = (options: Partial<ClientOptions> = {}) =>
  createVaultClient({ baseUrl, apiKey: "cv_test_key", ...options });
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json(
    status,
    { error: { code, message: "No.", status, request_id: "req_1", details: [] } },
    headers,
  );
const dropped: Reply = (response) => void response.socket?.destroy();

describe("a request", () => {
  test("a read has the key and no idempotency key; filters that repeat are repeated", async () => {
    replies = [json(200, { data: [], next_cursor: null, has_more: false })];
    await vault().cards.list({ workflow_status: ["priced", "listed"], graded: false, q: "a&b" });
    expect(seen[0]).toMatchObject({
      method: "GET",
      url: "/cards?workflow_status=priced&workflow_status=listed&graded=false&q=a%26b",
      headers: { authorization: "Bearer cv_test_key" },
    });
    expect(seen[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  test("an id is one segment of the path, whatever it holds", async () => {
    replies = [json(200, {})];
    await vault().cards.get("a/../b?c");
    expect(seen[0]?.url).toBe("/cards/a%2F..%2Fb%3Fc");
  });

  test("a change says which version it is meant for, and is repeated under one key", async () => {
    replies = [dropped, refusal(503, "service_unavailable", { "retry-after": "0" }), json(200, {})];
    await vault().cards.update("card_1", { title: null }, { ifVersion: 3 });
    expect(seen.map(({ method, body, headers }) => [method, body, headers["if-match"]])).toEqual(
      Array.from({ length: 3 }, () => ["PATCH", '{"title":null}', '"3"']),
    );
    const keys = new Set(seen.map(({ headers }) => headers["idempotency-key"]));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test("a key of one's own is sent as it is", async () => {
    replies = [json(202, { id: "lst_1" })];
    await vault().listings.publish("card_1", { title: "A" }, { idempotencyKey: "mine" });
    expect(seen[0]).toMatchObject({ url: "/listings/card_1/publish", body: '{"title":"A"}' });
    expect(seen[0]?.headers["idempotency-key"]).toBe("mine");
  });
});

describe("what fails", () => {
  test("a refusal is not tried again, and says everything that the service said", async () => {
    const details = [{ path: "price", message: "There is none" }];
    const error = { code: "card_not_publishable", message: "No.", request_id: "req_1", details };
    replies = [json(422, { error })];
    const failure = await vault()
      .listings.publish("card_1")
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(VaultApiError);
    expect(failure).toMatchObject({
      code: "card_not_publishable",
      status: 422,
      requestId: "req_1",
      details,
      message: "No.",
    });
    expect(seen).toHaveLength(1);
  });

  test("a limit is waited for as long as the service says", async () => {
    replies = [refusal(429, "rate_limit_exceeded", { "retry-after": "1" }), json(200, { id: "c" })];
    const started = performance.now();
    expect(await vault().cards.get("c")).toEqual({ id: "c" });
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  test("a wait beyond what the caller allows is told at once", async () => {
    replies = [refusal(429, "rate_limit_exceeded", { "retry-after": "60" })];
    await expect(vault({ maxWaitMs: 10 }).cards.get("c")).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      retryAfterMs: 60_000,
    });
    expect(seen).toHaveLength(1);
  });

  test("an end of all tries, with the key under which the change can be asked for again", async () => {
    replies = [dropped];
    const given = { idempotencyKey: "mine" };
    const failure = await vault({ maxRetries: 1 })
      .identify({ card_id: "card_1" }, given)
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(VaultConnectionError);
    expect(failure).toMatchObject(given);
    expect(seen).toHaveLength(2);
  });

  test("an answer that is not the API's own", async () => {
    replies = [(response) => void response.writeHead(404).end("<h1>nginx</h1>")];
    await expect(vault().cards.get("c")).rejects.toMatchObject({ code: "unknown", status: 404 });
  });

  test("the caller's giving up is thrown as it is, and ends a wait", async () => {
    replies = [refusal(429, "rate_limit_exceeded", { "retry-after": "30" })];
    const giveUp = new AbortController();
    const call = vault().cards.get("c", { signal: giveUp.signal });
    await expect.poll(() => seen.length).toBe(1);
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    expect(seen).toHaveLength(1);
  });
});

describe("lists", () => {
  const row = (id: string, second: number, version = 1) => ({
    id,
    version,
    updated_at: `2026-01-01T00:00:0${second}.000Z`,
  });

  test("each row once, page after page", async () => {
    replies = [
      json(200, { data: [{ id: "a" }, { id: "b" }], next_cursor: "n", has_more: true }),
      json(200, { data: [{ id: "c" }], next_cursor: null, has_more: false }),
    ];
    const ids: string[] = [];
    for await (const { id } of vault().batches.each({ status: "open" })) ids.push(id);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(seen.map(({ url }) => url)).toEqual([
      "/batches?status=open",
      "/batches?status=open&cursor=n",
    ]);
  });

  test("changes: what the inclusive poll repeats is left out, also where a page ends within a stamp", async () => {
    const last = { next_cursor: null, has_more: false };
    replies = [
      json(200, { data: [row("a", 1), row("b", 2)], next_cursor: "n", has_more: true }),
      json(200, {
        data: [row("c", 2), row("d", 3)],
        ...last,
        next_updated_since: row("", 3).updated_at,
      }),
      json(200, { data: [row("d", 3)], ...last, next_updated_since: row("", 3).updated_at }),
      json(200, {
        data: [row("d", 3), row("e", 3), row("a", 4, 2)],
        ...last,
        next_updated_since: row("", 4).updated_at,
      }),
    ];
    const given: [string, string][] = [];
    for await (const { data, checkpoint } of vault().cards.changes({
      since: "2026-01-01T00:00:00Z",
      intervalMs: 1,
    })) {
      given.push([data.map(({ id }) => id).join(), checkpoint.slice(17, 19)]);
      if (given.length === 3) break;
    }
    expect(given).toEqual([
      ["a,b", "02"],
      ["c,d", "03"],
      ["e,a", "04"],
    ]);
    expect(seen.map(({ url }) => new URL(url, baseUrl).searchParams.get("updated_since"))).toEqual([
      "2026-01-01T00:00:00Z",
      "2026-01-01T00:00:00Z",
      "2026-01-01T00:00:03.000Z",
      "2026-01-01T00:00:03.000Z",
    ]);
  });
});
