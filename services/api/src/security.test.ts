import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { accountHeader } from "@cardvault/contract";
import { appRouter, createMemoryLimiter } from "@cardvault/core";
import type { Limiter } from "@cardvault/core";
import { newId } from "@cardvault/kit";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, publicUrl } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

// What a stranger tries on the way in. Each test names what must hold; tools/deploy/THREATS.md says against whom.

let house: House;
let anna: Dealer;
let cookie: string;
let webFolder: string;

/** Limits have tests of their own: here hundreds of requests come in a minute. */
const memory = createMemoryLimiter();
const generous: Limiter = {
  take: (input) => memory.take({ ...input, limit: 100_000 }),
  counted: (keys, now) => memory.counted(keys, now),
  close: () => memory.close(),
};

beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), "cardvault-web-"));
  await mkdir(join(webFolder, "assets"));
  await writeFile(join(webFolder, "index.html"), "<!doctype html><title>The app</title>");
  await writeFile(join(webFolder, "secret.txt"), "outside of what is served");
  await writeFile(join(webFolder, "assets", "app-1a2b.js"), "1");
  house = await openHouse({ webFolder, limiter: generous, addressLimiter: generous });
  anna = await house.dealer("Anna");
  cookie = await house.cookie(anna);
});
afterAll(async () => {
  await house.close();
  await rm(webFolder, { recursive: true });
});

const send = (options: InjectOptions): Promise<LightMyRequestResponse> => house.app.inject(options);

/** As a page of ours sends it. */
const session = (): Record<string, string> => ({
  cookie,
  origin: publicUrl,
  [accountHeader]: anna.account.id,
});

describe("security headers", () => {
  const bearer = (): Record<string, string> => ({ authorization: `Bearer ${anna.token}` });
  const answers: [string, number, () => InjectOptions][] = [
    ["REST", 200, () => ({ url: "/cards", headers: bearer() })],
    ["REST without a token", 401, () => ({ url: "/cards" })],
    [
      "REST unchanged",
      304,
      () => ({
        url: `/cards/${anna.cards[0].id}`,
        headers: { ...bearer(), "if-none-match": `"${anna.cards[0].version}"` },
      }),
    ],
    ["a wrong method", 405, () => ({ method: "DELETE", url: "/cards" })],
    ["an unknown path", 404, () => ({ url: "/nothing" })],
    [
      "a body too large",
      413,
      () => ({
        method: "PATCH",
        url: `/cards/${anna.cards[0].id}`,
        headers: bearer(),
        payload: { notes: "x".repeat(300_000) },
      }),
    ],
    ["a query", 200, () => ({ url: "/trpc/cards.list?input=%7B%7D", headers: session() })],
    ["an unknown procedure", 404, () => ({ url: "/trpc/none", headers: session() })],
    ["another origin", 403, () => ({ method: "POST", url: "/trpc/batches.create", payload: {} })],
    ["a list", 200, () => ({ url: "/trpc/files/cards", headers: session() })],
    [
      "labels",
      200,
      () => ({
        method: "POST",
        url: "/inventory/labels",
        headers: session(),
        payload: {
          subjects: { type: "cards", selection: { filter: {} } },
          template: "avery_l7160",
          format: "svg",
        },
      }),
    ],
    [
      "an upload without a form",
      415,
      () => ({
        method: "POST",
        url: "/photos",
        headers: session(),
        payload: {},
      }),
    ],
    [
      "sign-in refused",
      401,
      () => ({
        method: "POST",
        url: "/auth/sign-in/email",
        headers: { origin: publicUrl },
        payload: { email: "nobody@example.com", password: "wrong horse battery" },
      }),
    ],
    [
      "sign-in from elsewhere",
      403,
      () => ({
        method: "POST",
        url: "/auth/sign-in/email",
        payload: { email: anna.email, password: "x" },
      }),
    ],
    ["what sign-in has not", 404, () => ({ url: "/auth/get-session", headers: { cookie } })],
    ["a consent's answer", 303, () => ({ url: "/auth/marketplace/callback?state=x&code=y" })],
    ["a picture that is not there", 404, () => ({ url: `/photos/${newId("img")}/full.webp?s=x` })],
    ["a page", 200, () => ({ url: "/inventory" })],
    ["an asset", 200, () => ({ url: "/assets/app-1a2b.js" })],
    ["no asset", 404, () => ({ url: "/assets/none.js" })],
    ["the reference", 200, () => ({ url: "/docs" })],
    ["the description", 200, () => ({ url: "/openapi.json" })],
    ["a schema", 200, () => ({ url: "/schemas/card.priced.json" })],
    ["a probe", 200, () => ({ url: "/livez" })],
  ];

  test.each(answers)("stand on %s (%d)", async (_name, status, request) => {
    const { statusCode, headers, body } = await send(request());
    expect([statusCode, body]).toEqual([status, body]);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "x-frame-options": "DENY",
      "strict-transport-security": expect.stringMatching(/^max-age=31536000/) as string,
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("frame-ancestors 'none'");
    const isPage = String(headers["content-type"]).startsWith("text/html");
    expect(policy).toContain(isPage ? "script-src 'self';" : "default-src '");
    expect(policy).not.toMatch(/script-src[^;]*(?:unsafe|\*|data:|http)/);
    // Nobody learns what runs here, and no other origin may read an answer.
    expect(headers).not.toHaveProperty("server");
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    // What is one person's is kept by no cache that others share.
    const isPublic = String(headers["cache-control"]).startsWith("public");
    const hasSecret = request().headers !== undefined;
    expect(isPublic && hasSecret).toBe(false);
  });

  test("stand on what never became a request, and on live updates", async () => {
    const address = new URL(await house.app.listen({ host: "127.0.0.1", port: 0 }));
    const socket = connect(Number(address.port), address.hostname);
    const answered = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (bytes) => (text += bytes.toString()));
      socket.on("close", () => resolve(text));
    });
    socket.write("nonsense\r\n\r\n");
    expect(await answered).toMatch(/x-content-type-options: nosniff\r\n/);

    const gone = new AbortController();
    const named = encodeURIComponent(JSON.stringify({ [accountHeader]: anna.account.id }));
    const live = await fetch(new URL(`/trpc/live.follow?connectionParams=${named}`, address), {
      headers: { cookie, accept: "text/event-stream" },
      signal: gone.signal,
    });
    expect(live.status).toBe(200);
    expect(live.headers.get("x-content-type-options")).toBe("nosniff");
    expect(live.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    gone.abort();
  });
});

/** Every procedure that changes something, by its path. */
const mutations = Object.entries(
  (appRouter as unknown as { _def: { procedures: Record<string, { _def: { type: string } }> } })
    ._def.procedures,
).flatMap(([path, { _def }]) => (_def.type === "mutation" ? [path] : []));

describe("a request of another site changes nothing", () => {
  const origins = [
    undefined,
    "null",
    "",
    "https://evil.example",
    `${publicUrl}.evil.example`,
    publicUrl.replace("https", "http"),
    `${publicUrl}:8443`,
    `${publicUrl}/`,
    publicUrl.toUpperCase(),
  ];
  const foreign = (origin: string | undefined): Record<string, string> => {
    const { origin: _, ...headers } = session();
    return origin === undefined ? headers : { ...headers, origin };
  };

  test("every mutation wants our Origin", async () => {
    expect(mutations.length).toBeGreaterThan(80);
    const before = await house.dump(anna);
    for (const path of mutations) {
      const request = { method: "POST", url: `/trpc/${path}`, payload: {} } as const;
      const { statusCode, body } = await send({ ...request, headers: foreign(undefined) });
      expect({ path, statusCode, isRefused: body.includes('"not_permitted"') }).toEqual({
        path,
        statusCode: 403,
        isRefused: true,
      });
    }
    expect(await house.dump(anna)).toEqual(before);
  });

  test.each([
    ["/trpc/batches.create", { name: "Forged" }],
    ["/trpc/batches.create?batch=1", { "0": { name: "Forged" } }],
    ["/trpc/files/import", {}],
    ["/trpc/files/cards", { selection: { filter: {} } }],
    ["/inventory/labels", {}],
    ["/photos", {}],
    ["/auth/sign-in/email", { email: "anna@example.com", password: "x" }],
    ["/auth/sign-out", {}],
    ["/auth/change-password", { currentPassword: "x", newPassword: "y" }],
    ["/auth/reset-password", { token: "x", newPassword: "another horse battery" }],
  ])("POST %s wants exactly our Origin", async (url, payload) => {
    const before = await house.dump(anna);
    for (const origin of origins) {
      const headers = foreign(origin);
      const response = await send({ method: "POST", url, payload, headers });
      expect({ origin, status: response.statusCode }).toEqual({ origin, status: 403 });
    }
    expect(await house.dump(anna)).toEqual(before);
    // Nobody was signed out by it.
    const own = await send({ url: "/trpc/batches.list?input=%7B%7D", headers: session() });
    expect(own.statusCode).toBe(200);
  });

  // What a form can send without being asked for leave first: a page of another site needs no answer to do harm.
  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])(
    "a body of %s is no call, even from our own origin",
    async (type) => {
      const before = await house.dump(anna);
      for (const payload of ['{"name":"Forged"}', "name=Forged", "--b--\r\n"]) {
        const headers = { ...session(), "content-type": type };
        const response = await send({
          method: "POST",
          url: "/trpc/batches.create",
          headers,
          payload,
        });
        expect(response.statusCode).toBe(415);
        expect(
          (await send({ method: "POST", url: "/auth/sign-in/email", headers, payload })).statusCode,
        ).toBe(415);
      }
      expect(await house.dump(anna)).toEqual(before);
    },
  );

  test("no mutation is reached by GET, nor by a method in a header or a query", async () => {
    const before = await house.dump(anna);
    const input = encodeURIComponent(JSON.stringify({ name: "Forged" }));
    for (const url of [
      `/trpc/batches.create?input=${input}`,
      `/trpc/batches.create?_method=POST&input=${input}`,
    ]) {
      for (const method of ["GET", "HEAD"] as const) {
        const headers = { ...session(), "x-http-method-override": "POST" };
        const { statusCode } = await send({ method, url, headers });
        // 204: the headers of a GET that is not called.
        expect(statusCode).toBe(method === "GET" ? 405 : 204);
      }
    }
    expect(await house.dump(anna)).toEqual(before);
  });

  test("no other origin is told that it may read or send", async () => {
    for (const url of ["/cards", "/trpc/batches.create", "/auth/sign-in/email", "/photos"]) {
      const { headers } = await send({
        method: "OPTIONS",
        url,
        headers: {
          origin: "https://evil.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": accountHeader,
        },
      });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });
});

describe("no path leads out of what is served", () => {
  const climbs = [
    "../secret.txt",
    "..%2fsecret.txt",
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "%252e%252e%252fsecret.txt",
    "..\\secret.txt",
    "..%5csecret.txt",
    "....//secret.txt",
    "app-1a2b.js/../../secret.txt",
    "app-1a2b.js%00.html",
    "%00",
    "..;/secret.txt",
    "%c0%ae%c0%ae/secret.txt",
    "/etc/passwd",
    "//evil.example/%2e%2e",
    "",
    ".",
  ];

  test.each(["/assets/", "/photos/", "/schemas/", "/docs/", "/trpc/files/"])("%s", async (at) => {
    for (const climb of climbs) {
      const { statusCode, body } = await send({ url: at + climb, headers: session() });
      expect({ at, climb, statusCode }).toEqual({
        at,
        climb,
        statusCode: expect.toBeOneOf([400, 401, 403, 404]) as number,
      });
      expect(body).not.toContain("outside of what is served");
      expect(body).not.toMatch(/root:|node_modules|\.ts\b/);
      expect(JSON.parse(body)).toHaveProperty("error");
    }
  });

  test("a picture's id and size are never a path", async () => {
    const { photoUrls } = house.services;
    for (const id of ["../../secret", "..%2f..%2fsecret", "img_%00", "img_x\\..\\y"]) {
      // Even where somebody had the signature of such an id.
      const signed = new URL(photoUrls.urlOf(id, "full")).search;
      for (const size of ["full", "original", "..", "%2e%2e%2ffull"]) {
        const { statusCode } = await send({ url: `/photos/${id}/${size}.webp${signed}` });
        expect([400, 404]).toContain(statusCode);
      }
    }
  });

  test("what a file is called in a download is our own word", async () => {
    for (const query of ["", "?format=own&name=../../x", "?columns=a%0d%0aset-cookie:x=y"]) {
      const { headers } = await send({ url: `/trpc/files/cards${query}`, headers: session() });
      const disposition = headers["content-disposition"];
      if (disposition !== undefined) {
        expect(disposition).toMatch(/^attachment; filename="[a-z0-9-]+\.(?:csv|json)"$/);
      }
      expect(headers["set-cookie"]).toBeUndefined();
    }
  });
});

describe("bodies that are made to harm", () => {
  const post = (payload: string | Buffer, more: Record<string, string> = {}) =>
    send({
      method: "POST",
      url: "/trpc/batches.create",
      headers: { ...session(), "content-type": "application/json", ...more },
      payload,
    });

  test.each([
    ["__proto__", '{"name":"x","__proto__":{"isAdmin":true}}'],
    ["constructor.prototype", '{"name":"x","constructor":{"prototype":{"isAdmin":true}}}'],
    ["a nested __proto__", '{"name":"x","defaults":{"__proto__":{"isAdmin":true}}}'],
    ["nesting without an end", `{"name":${"[".repeat(200_000)}${"]".repeat(200_000)}}`],
    ["an object for a text", '{"name":{"toString":"x"}}'],
    ["a number beyond all bounds", '{"name":"x","cost_basis":{"amount":1e400,"currency":"USD"}}'],
  ])("%s is refused, and no prototype is changed", async (_name, payload) => {
    const before = await house.dump(anna);
    expect((await post(payload)).statusCode).toBe(400);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(await house.dump(anna)).toEqual(before);
  });

  test("of a name that is given twice, what is checked is what is kept", async () => {
    const response = await post('{"name":"First","name":"Second"}');
    expect(response.json()).toMatchObject({ result: { data: { name: "Second" } } });
    const twice = await post(`{"name":"Short","name":"${"x".repeat(5_000)}"}`);
    expect(twice.statusCode).toBe(400);
  });

  test("a packed body is never unpacked", async () => {
    // 20 MB of spaces in 20 KB.
    const bomb = gzipSync(Buffer.alloc(20_000_000, " "));
    for (const encoding of ["gzip", "deflate", "br", "zstd"]) {
      expect((await post(bomb, { "content-encoding": encoding })).statusCode).toBe(400);
      const rest = await house.call(anna.token, "PATCH", `/cards/${anna.cards[0].id}`, {
        headers: { "content-type": "application/json", "content-encoding": encoding },
        payload: bomb,
      });
      expect(rest.statusCode).toBe(415);
      const signIn = await send({
        method: "POST",
        url: "/auth/sign-in/email",
        headers: {
          origin: publicUrl,
          "content-type": "application/json",
          "content-encoding": encoding,
        },
        payload: bomb.subarray(0, 10_000),
        // Each from an address of its own: sign-in counts them.
        remoteAddress: `203.0.113.${encoding.length}`,
      });
      expect(signIn.statusCode).toBe(400);
    }
  });
});
