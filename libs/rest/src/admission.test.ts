import { VaultError } from "@cardvault/contract";
import { describe, expect, test } from "vitest";
import {
  build,
  call,
  expectError,
  principal,
  rebuild,
  start,
  state,
  useTestApp,
} from "./test-app.ts";

useTestApp();

describe("routes and methods", () => {
  test("a path that has no route is 404, with a token and without", async () => {
    for (const path of ["/", "/v2", "/v2/things", "/things/", "/things/one/more", "/Things"]) {
      expectError(await call("GET", path), 404, "route_not_found");
      expectError(await state.app.inject({ url: path }), 404, "route_not_found");
    }
    expectError(
      await call("POST", "/nothing", {
        payload: "x".repeat(1_000_000),
        headers: { "content-type": "text/plain" },
      }),
      404,
      "route_not_found",
    );
  });

  test("a procedure without meta has no path", async () => {
    expectError(await call("GET", "/hidden"), 404, "route_not_found");
  });

  test.each([
    ["POST", "/things", "GET, HEAD"],
    ["DELETE", "/things/one", "GET, HEAD, PATCH"],
    ["OPTIONS", "/things/one", "GET, HEAD, PATCH"],
    ["PUT", "/things/one", "GET, HEAD, PATCH"],
    ["TRACE", "/things", "GET, HEAD"],
  ])("%s %s is 405 with Allow", async (method, path, allow) => {
    const response = await call(method, path);
    expectError(response, 405, "method_not_allowed");
    expect(response.headers.allow).toBe(allow);
  });

  test("HEAD answers as GET does, without the body", async () => {
    const response = await call("HEAD", "/things/one");
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe("");
    expect(response.headers).toMatchObject({ etag: '"3"', "x-ratelimit-remaining": "59" });
    expect((await state.app.inject({ method: "HEAD", url: "/things/one" })).statusCode).toBe(401);
  });

  test.each(["%zz", "%ff%fe", "%00", "x".repeat(5_000), "..%2f..", "%E0%A4%A"])(
    "the malformed id %s answers like an unknown one",
    async (id) => {
      expectError(await call("GET", `/things/${id}`), 404, "card_not_found");
    },
  );
});

describe("tokens and scopes", () => {
  test("without one, with a wrong one: 401 with WWW-Authenticate, before the body is looked at", async () => {
    for (const [authorization, code] of [
      [undefined, "missing_token"],
      ["Bearer wrong", "invalid_token"],
    ] as const) {
      const response = await state.app.inject({
        method: "PATCH",
        url: "/things/one",
        headers: {
          "content-type": "text/plain",
          ...(authorization === undefined ? {} : { authorization }),
        },
        payload: "x".repeat(1_000_000),
      });
      expectError(response, 401, code);
      expect(response.headers["www-authenticate"]).toBe('Bearer realm="vault"');
    }
  });

  test("a missing scope comes after the JSON and before the schema", async () => {
    const headers = { authorization: "Bearer narrow" };
    expectError(await call("GET", "/things?limit=&x=1", { headers }), 403, "insufficient_scope");
  });
});

describe("limits", () => {
  test("reads: 60 a minute, and the 61st says when to come again", async () => {
    for (let i = 0; i < 60; i += 1) expect((await call("GET", "/things/one")).statusCode).toBe(200);
    state.now += 20_000;
    const response = await call("GET", "/things/one");
    expectError(response, 429, "rate_limit_exceeded");
    expect(response.headers).toMatchObject({
      "retry-after": "40",
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.ceil((start + 60_000) / 1000)),
    });
    expect((await call("PATCH", "/things/one")).statusCode).toBe(200);
    state.now += 40_000;
    expect((await call("GET", "/things/one")).statusCode).toBe(200);
  });

  test("errors, unknown paths and wrong methods count, by the class of the method", async () => {
    for (let i = 0; i < 20; i += 1) await call("POST", i % 2 === 0 ? "/nothing" : "/things");
    expectError(await call("PATCH", "/things/one"), 429, "rate_limit_exceeded");
    for (let i = 0; i < 60; i += 1) await call("GET", i % 2 === 0 ? "/nothing" : "/things/other");
    expectError(await call("GET", "/things/one"), 429, "rate_limit_exceeded");
    // That there is no such route comes before the limit.
    expectError(await call("GET", "/nothing"), 404, "route_not_found");
  });

  test("without a valid token: 60 a minute for an address, or for the /64 of one", async () => {
    const from = (remoteAddress: string) => state.app.inject({ url: "/things/one", remoteAddress });
    for (let i = 0; i < 60; i += 1) await from(`2001:db8:0:1::${(i + 1).toString(16)}`);
    expectError(await from("2001:db8:0:1:ffff::1"), 429, "rate_limit_exceeded");
    expectError(await from("2001:db8:0:2::1"), 401, "missing_token");
    expectError(await from("192.0.2.1"), 401, "missing_token");
  });

  test("a token that cannot be looked up is an outage, however often it is tried", async () => {
    await rebuild({
      authenticate: () => Promise.reject(new VaultError("service_unavailable")),
    });
    for (let i = 0; i < 70; i += 1) {
      const response = await call("GET", "/things/one");
      expectError(response, 503, "service_unavailable");
      expect(response.headers["x-ratelimit-limit"]).toBe("60");
    }
  });

  test("an account's own limits count", async () => {
    await rebuild({ authenticate: async () => ({ ...principal, limits: { read: 2 } }) });
    const first = await call("GET", "/things/one");
    expect(first.headers["x-ratelimit-limit"]).toBe("2");
    await call("GET", "/things/one");
    expectError(await call("GET", "/things/one"), 429, "rate_limit_exceeded");
  });
});

describe("failures", () => {
  test("what is not ours is internal_error, and its text stays inside", async () => {
    state.fail = new Error("password=hunter2");
    const response = await call("GET", "/things/one");
    expectError(response, 500, "internal_error");
    expect(response.body).not.toContain("hunter2");
  });

  test("an overloaded or closing process says so, with Retry-After", async () => {
    state.isUnavailable = true;
    const response = await call("GET", "/things/one");
    expectError(response, 503, "service_unavailable");
    expect(response.headers["retry-after"]).toBe("1");
  });
});

describe("the end of version 1", () => {
  test("is said on every answer once it is configured", async () => {
    await rebuild({
      versionOneEnd: {
        deprecatedAt: new Date("2027-01-01T00:00:00Z"),
        sunsetAt: new Date("2028-01-01T00:00:00Z"),
        successorUrl: "https://vault.example/v2",
      },
    });
    for (const path of ["/things", "/nothing"]) {
      const { headers } = await call("GET", path);
      expect(headers).toMatchObject({
        deprecation: "@1798761600",
        sunset: "Sat, 01 Jan 2028 00:00:00 GMT",
      });
      expect(headers.link).toContain('<https://vault.example/v2>; rel="successor-version"');
    }
    expect((await call("GET", "/things")).headers.link).toContain('rel="next"');
  });

  test("cannot come sooner than after 12 months", () => {
    expect(() =>
      build({
        versionOneEnd: {
          deprecatedAt: new Date("2027-01-01T00:00:00Z"),
          sunsetAt: new Date("2027-12-31T00:00:00Z"),
          successorUrl: "https://vault.example/v2",
        },
      }),
    ).toThrow(RangeError);
  });
});
