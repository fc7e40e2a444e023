import { describe, expect, test } from "vitest";
import { call, detailsOf, expectError, state, useTestApp } from "./test-app.ts";

useTestApp();

describe("query strings", () => {
  const inputOf = async (query: string): Promise<unknown> =>
    (await call("GET", `/things?${query}`)).json<{ input: unknown }>().input;

  test("are read by the schema, and the schema stays as it is", async () => {
    expect(await inputOf("limit=5&flag=true&q=a%20b+c")).toEqual({
      limit: 5,
      flag: true,
      q: "a b c",
    });
    expect(await inputOf("status=open")).toEqual({ limit: 50, status: ["open"] });
    expect(await inputOf("status=open&status=closed&flag=false")).toEqual({
      limit: 50,
      status: ["open", "closed"],
      flag: false,
    });
    // Digits are text where the field is text.
    expect(await inputOf("q=5")).toEqual({ limit: 50, q: "5" });
  });

  test.each([
    ["limit=", "limit"],
    ["limit", "limit"],
    ["limit=5&limit=6", "limit"],
    ["limit=0x10", "limit"],
    ["limit=%205", "limit"],
    ["limit=1e999", "limit"],
    ["limit=NaN", "limit"],
    ["flag=1", "flag"],
    ["flag=TRUE", "flag"],
    ["status=", "status"],
    ["status=open&status=", "status"],
    ["status=other", "status"],
    ["status=open&status=other", "status"],
    ["q=12345678901", "q"],
    ["q=%zz", "q"],
    ["q=%ff", "q"],
    ["colour=red", "colour"],
    ["__proto__=1", "__proto__"],
    ["constructor=1", "constructor"],
    ["limit%5B%5D=5", "limit[]"],
    ["=x", ""],
  ])("%s is refused and named", async (query, path) => {
    const response = await call("GET", `/things?${query}`);
    expectError(response, 400, "validation_failed");
    expect(detailsOf(response)).toEqual([{ path, message: expect.any(String) as string }]);
  });

  test("an operation that takes none refuses every parameter", async () => {
    expectError(await call("GET", "/things/one?id=two"), 400, "validation_failed");
    expectError(await call("PATCH", "/things/one?name=x"), 400, "validation_failed");
  });

  test("the next page is linked with the same filters", async () => {
    const response = await call("GET", "/things?status=open&status=closed&q=a+b");
    expect(response.headers.link).toBe(
      '<https://vault.example/things?status=open&status=closed&q=a+b&cursor=next+page>; rel="next"',
    );
    const last = await call("GET", "/things?cursor=x");
    expect(last.headers.link).toBeUndefined();
  });
});

describe("bodies", () => {
  const json = { "content-type": "application/json" };
  const patch = (payload: string | Buffer, headers: Record<string, string> = json) =>
    call("PATCH", "/things/one", { payload, headers });

  test("are merged with the path, null stays null", async () => {
    const response = await patch('{"name":"Two","price":null}');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ id: "one", name: "Two", price: null, version: 1 });
    expect(response.headers.etag).toBe('"1"');
  });

  test("none is needed where every member is optional", async () => {
    expect((await call("PATCH", "/things/one")).statusCode).toBe(200);
    expect(
      (await patch("{}", { "content-type": "application/json; charset=utf-8" })).statusCode,
    ).toBe(200);
  });

  test.each([
    ["null", "null"],
    ["an array", "[]"],
    ["a string", '"text"'],
    ["a number", "1"],
    ["an unknown member", '{"colour":"red"}'],
    ["a wrong type", '{"name":5}'],
    ["a member of the path", '{"id":"two"}'],
    ["__proto__", '{"__proto__":{"name":"x"}}'],
    ["__proto__ deep inside", '{"name":{"a":[{"__proto__":1}]}}'],
    ["constructor", '{"constructor":{"prototype":{}}}'],
    ["deep nesting", `{"name":${"[".repeat(60_000)}${"]".repeat(60_000)}}`],
    ["too long a string", JSON.stringify({ name: "x".repeat(21) })],
    ["a huge number", '{"price":1e999}'],
  ])("%s is validation_failed", async (_name, body) => {
    const response = await patch(body);
    expectError(response, 400, "validation_failed");
    expect(detailsOf(response)).toHaveLength(1);
    expect(state.runs).toBe(0);
  });

  test.each([
    ["a broken one", '{"name":'],
    ["an empty one with a content type", ""],
    ["NaN", '{"price":NaN}'],
    ["bad UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["a byte order mark", Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ])("%s is invalid_json", async (_name, body) => {
    expectError(await patch(body), 400, "invalid_json");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "nonsense"])(
    "%s is not supported",
    async (type) => {
      expectError(await patch("{}", { "content-type": type }), 415, "unsupported_media_type");
    },
  );

  test("a body without a type is not supported", async () => {
    expectError(
      await patch(Buffer.from("{}"), { "content-length": "2" }),
      415,
      "unsupported_media_type",
    );
  });

  test("an encoded body is not supported", async () => {
    expectError(
      await patch("{}", { ...json, "content-encoding": "gzip" }),
      415,
      "unsupported_media_type",
    );
  });

  test("more than 256 KiB is too large, and exactly that is not", async () => {
    const bytes = (count: number): string => {
      const empty = JSON.stringify({ name: "" });
      return JSON.stringify({ name: "x".repeat(count - empty.length) });
    };
    expectError(await patch(bytes(256 * 1024)), 400, "validation_failed");
    expectError(await patch(bytes(256 * 1024 + 1)), 413, "body_too_large");
    expectError(await patch(bytes(1024 * 1024)), 413, "body_too_large");
  });
});
