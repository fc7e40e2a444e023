import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { derivedKey } from "@cardvault/core";
import { newId, toUuid } from "@cardvault/kit";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { openHouse, publicUrl } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let dealer: Dealer;
let webFolder: string;
let cookie: string;
const metrics = createMetrics();

beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), "cardvault-web-"));
  await mkdir(join(webFolder, "assets"));
  await writeFile(join(webFolder, "index.html"), "<!doctype html><title>The app</title>");
  await writeFile(join(webFolder, "assets", "app-1a2b.js"), "1");
  house = await openHouse({ webFolder, metrics });
  dealer = await house.dealer("Anna");
  cookie = await house.cookie(dealer);
});
afterAll(async () => {
  await house.close();
  await rm(webFolder, { recursive: true });
});

describe("pages", () => {
  test.each([
    "/",
    "/sign-in",
    "/inventory/x",
    "/settings/api",
    "/settings/webhooks/whe_x",
    "/events",
    "/events/dropped",
    "/auth/reset",
  ])("%s is the web app, under a strict policy", async (path) => {
    const response = await house.app.inject(path);
    expect(response.body).toContain("The app");
    expect(response.headers["content-security-policy"]).toMatch(
      /default-src 'self';script-src 'self';.*frame-ancestors 'none'/,
    );
    expect(response.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "strict-transport-security": expect.stringContaining("max-age") as string,
    });
  });

  test.each([
    "/inventorys",
    "/signin",
    "/settings.json",
    "/assets/none.js",
    "/favicon.ico",
    "/v2",
    "/docs/x",
    "/docs/guides/x",
  ])("%s is 404 in our own form", async (path) => {
    const response = await house.app.inject(path);
    expect(response.json()).toMatchObject({ error: { code: "route_not_found", status: 404 } });
  });

  test("files never change under their name", async () => {
    const response = await house.app.inject("/assets/app-1a2b.js");
    expect(response.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  test("a wrong method names the right ones", async () => {
    const response = await house.app.inject({ method: "POST", url: "/settings/api" });
    expect(response.json()).toMatchObject({ error: { code: "method_not_allowed" } });
    expect(response.headers.allow).toBe("GET, HEAD");
  });

  test("REST and pages never answer for each other", async () => {
    for (const path of ["/cards", "/batches", "/listings"]) {
      const response = await house.app.inject({
        url: path,
        headers: { accept: "text/html", cookie },
      });
      expect(response.json()).toMatchObject({ error: { code: "missing_token" } });
    }
  });
});

describe("pictures", () => {
  test("are seen by whoever has the signed address, and by nobody else", async () => {
    const id = newId("img");
    const { db, pictureStore, photoUrls } = house.services;
    const contentHash = Buffer.alloc(32, 5);
    const place = { accountId: dealer.account.id, contentHash };
    await pictureStore.put(derivedKey(place, "full"), Buffer.from("RIFFxxxxWEBP"));
    await db.query(
      `insert into photo (id, account_id, side, content_hash, width, height, created_at)
       values ($1, $2, 'front', $3, 600, 840, now())`,
      [toUuid(id), toUuid(dealer.account.id), contentHash],
    );
    const address = photoUrls.urlOf(id, "full").slice(publicUrl.length);
    const response = await house.app.inject(address);
    expect(response.rawPayload).toEqual(Buffer.from("RIFFxxxxWEBP"));
    expect(response.headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": expect.stringMatching(/^private, .*immutable$/) as string,
      "x-content-type-options": "nosniff",
    });
    const other = newId("img");
    for (const wrong of [
      address.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      address.replace("full", "thumbnail"),
      address.replace(/\?.*/, ""),
      `${address}&s=x`,
      photoUrls.urlOf(other, "full").slice(publicUrl.length),
    ]) {
      expect((await house.app.inject(wrong)).statusCode).toBe(404);
    }
  });
});

describe("the session's procedures", () => {
  const trpc = (
    method: "GET" | "POST",
    path: string,
    headers: Record<string, string>,
    payload?: unknown,
  ) =>
    house.app.inject({
      method,
      url: `/trpc/${path}`,
      headers: { cookie, ...headers },
      ...(payload === undefined
        ? {}
        : { payload: payload as NonNullable<InjectOptions["payload"]> }),
    });
  const own = (): Record<string, string> => ({ "x-vault-account": dealer.account.id });

  test("answer whoever is signed in, for the account that the request names", async () => {
    const response = await trpc("GET", "cards.list?input=%7B%7D", own());
    expect(response.json()).toMatchObject({ result: { data: { data: [{}, {}] } } });
    expect(response.headers["cache-control"]).toBe("no-store");
    expect((await trpc("GET", "cards.list?input=%7B%7D", {})).statusCode).not.toBe(200);
  });

  test("another's account answers like one that never was", async () => {
    const ben = await house.dealer("Ben");
    const answers = await Promise.all(
      [ben.account.id, newId("acc")].map(async (id) => {
        const response = await trpc("GET", "keys.list", { "x-vault-account": id });
        return response.body.replaceAll(/req_[0-9a-z]{26}/g, "req");
      }),
    );
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).not.toContain("prefix");
  });

  test("a change needs our own Origin", async () => {
    for (const origin of [undefined, "null", "https://evil.example", `${publicUrl}.evil.example`]) {
      const headers = { ...own(), ...(origin === undefined ? {} : { origin }) };
      const response = await trpc("POST", "batches.create", headers, { name: "Forged" });
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject({ error: { data: { code: "not_permitted" } } });
    }
    const response = await trpc(
      "POST",
      "batches.create",
      { ...own(), origin: publicUrl },
      { name: "Own" },
    );
    expect(response.statusCode).toBe(200);
  });

  test("a change is no GET", async () => {
    const response = await trpc("GET", "batches.create?input=%7B%22name%22%3A%22x%22%7D", own());
    expect(response.json()).toMatchObject({ error: { data: { code: "method_not_allowed" } } });
  });

  test("a bearer token opens nothing, and a cookie opens no REST", async () => {
    const response = await house.app.inject({
      url: "/trpc/cards.list?input=%7B%7D",
      headers: { authorization: `Bearer ${dealer.token}`, ...own() },
    });
    expect(response.json()).toMatchObject({ error: { data: { code: "sign_in_required" } } });
  });

  test("have wider limits: 1,200 a minute for a person", async () => {
    const { key, allowed } = { key: "cards.get", allowed: 300 };
    for (let i = 0; i < allowed; i += 1) {
      const response = await trpc("GET", `${key}?input=%7B%22id%22%3A%22card_x%22%7D`, own());
      expect(response.statusCode).toBe(404);
    }
  });

  test("links of invitations are not guessed: 60 tries a minute from an address", async () => {
    const statuses = new Map<number, number>();
    for (let i = 0; i < 62; i += 1) {
      const token = String(i).padStart(43, "x");
      const input = encodeURIComponent(JSON.stringify({ token }));
      const { statusCode } = await house.app.inject({
        url: `/trpc/signIn.invitation?input=${input}`,
        remoteAddress: "203.0.113.60",
      });
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 404: 60, 429: 2 });
  });

  test("a broken body is refused, and no stack is sent", async () => {
    const response = await house.app.inject({
      method: "POST",
      url: "/trpc/batches.create",
      headers: { cookie, ...own(), origin: publicUrl, "content-type": "application/json" },
      payload: '{"name":',
    });
    expect(response.statusCode).toBe(400);
    expect(response.body).not.toMatch(/stack|node_modules|\.ts/);
  });
});

describe("probes, metrics and the description", () => {
  test("/livez and /readyz answer", async () => {
    expect((await house.app.inject("/livez")).json()).toEqual({ status: "ok" });
    expect((await house.app.inject("/readyz")).json()).toEqual({ status: "ok" });
  });

  test("metrics are counted by pattern, and have no path here", async () => {
    await house.call(dealer.token, "GET", "/cards/card_x");
    const text = await metrics.registry.metrics();
    expect(text).toContain('route="/cards/:id"');
    expect(text).not.toContain("card_x");
    expect((await house.app.inject("/metrics")).statusCode).toBe(404);
  });

  test("/openapi.json and the event schemas name this service", async () => {
    const description = (await house.app.inject("/openapi.json")).json<{ servers: unknown }>();
    expect(description.servers).toEqual([{ url: publicUrl }]);
    expect((await house.app.inject("/schemas/card.priced.json")).statusCode).toBe(200);
    const page = await house.app.inject("/docs");
    expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
  });
});

describe("the guides", () => {
  test("are pages under the same policy, and every link in them leads somewhere", async () => {
    const left = ["/docs/guides"];
    const seen = new Set(left);
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const response = await house.app.inject(path);
      expect(response.statusCode, `the link to ${path}`).toBe(200);
      if (!path.startsWith("/docs/guides")) continue;
      expect(response.headers["content-security-policy"]).toContain("script-src 'self'");
      for (const [, address = ""] of response.body.matchAll(/ (?:href|src)="(\/[^"#]*)/g)) {
        if (seen.has(address) || address === "/favicon.ico") continue;
        seen.add(address);
        left.push(address);
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(["/docs", "/docs/guides/webhooks", "/settings/api", "/openapi.json"]),
    );
  });
});

describe("a listening process", () => {
  test("answers bytes that are no HTTP in our own form, and closes at once when told to", async () => {
    const listening = await openHouse();
    await listening.app.listen({ host: "127.0.0.1", port: 0 });
    const address = listening.app.server.address();
    if (address === null || typeof address === "string") throw new Error("It listens on a port");
    const socket = connect(address.port, "127.0.0.1");
    const answered = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (bytes) => (text += bytes.toString()));
      socket.on("close", () => resolve(text));
    });
    socket.write("nonsense\r\n\r\n");
    const text = await answered;
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf("{")))).toMatchObject({
      error: { code: "validation_failed", status: 400 },
    });
    const kept = await fetch(`http://127.0.0.1:${address.port}/livez`);
    expect(await kept.json()).toEqual({ status: "ok" });
    await listening.close();
  });
});
