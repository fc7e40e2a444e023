import { restErrorTable } from "@cardvault/contract";
import type { RestErrorCode } from "@cardvault/contract";
import { appRouter } from "@cardvault/core";
import type { Limiter } from "@cardvault/core";
import { errorCodesOf, inputShape, operationsOf } from "@cardvault/rest";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let dealer: Dealer;

beforeAll(async () => {
  // Thousands of requests in one minute: the limits have tests of their own.
  house = await openHouse({ limiter: unlimited, addressLimiter: unlimited });
  dealer = await house.dealer("Anna");
});
afterAll(() => house.close());

const unlimited: Limiter = {
  take: ({ limit, now }) => ({
    allowed: true,
    limit,
    remaining: limit,
    resetAt: Math.ceil(now.getTime() / 1000) + 60,
    retryAfterSeconds: 1,
  }),
  counted: (keys) => keys.map(() => 0),
  close: () => Promise.resolve(),
};

const json = { "content-type": "application/json" };
const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const badUtf8 = Buffer.concat([
  Buffer.from('{"notes":"'),
  Buffer.from([0xc3, 0x28]),
  Buffer.from('"}'),
]);

/** What is sent as a body, and what an operation with a body answers. */
const bodies: [string, InjectOptions, RestErrorCode][] = [
  ["null", { headers: json, payload: "null" }, "validation_failed"],
  ["an array", { headers: json, payload: "[]" }, "validation_failed"],
  ["an array of a patch", { headers: json, payload: '[{"notes":"x"}]' }, "validation_failed"],
  ["a string", { headers: json, payload: '"notes"' }, "validation_failed"],
  ["a number", { headers: json, payload: "1" }, "validation_failed"],
  ["true", { headers: json, payload: "true" }, "validation_failed"],
  ["nothing", { headers: json, payload: "" }, "invalid_json"],
  ["half of it", { headers: json, payload: '{"notes":' }, "invalid_json"],
  ["two values", { headers: json, payload: "{}{}" }, "invalid_json"],
  ["a comment", { headers: json, payload: "{/* */}" }, "invalid_json"],
  ["bad UTF-8", { headers: json, payload: badUtf8 }, "invalid_json"],
  ["UTF-16", { headers: json, payload: Buffer.from('{"notes":"x"}', "utf16le") }, "invalid_json"],
  ["NUL bytes", { headers: json, payload: Buffer.alloc(64) }, "invalid_json"],
  ["deep nesting", { headers: json, payload: nested(100_000) }, "validation_failed"],
  ["a deep member", { headers: json, payload: `{"tags":${nested(50_000)}}` }, "validation_failed"],
  ["__proto__", { headers: json, payload: '{"__proto__":{"notes":"x"}}' }, "validation_failed"],
  ["constructor", { headers: json, payload: '{"constructor":{}}' }, "validation_failed"],
  ["an unknown member", { headers: json, payload: '{"colour":"red"}' }, "validation_failed"],
  ["the id", { headers: json, payload: '{"id":"card_x"}' }, "validation_failed"],
  ["the account", { headers: json, payload: '{"account_id":"acc_x"}' }, "validation_failed"],
  [
    "a megabyte",
    { headers: json, payload: JSON.stringify({ notes: "x".repeat(2 ** 20) }) },
    "body_too_large",
  ],
  [
    "text/plain",
    { headers: { "content-type": "text/plain" }, payload: "{}" },
    "unsupported_media_type",
  ],
  [
    "a form",
    { headers: { "content-type": "application/x-www-form-urlencoded" }, payload: "notes=x" },
    "unsupported_media_type",
  ],
  [
    "multipart",
    { headers: { "content-type": "multipart/form-data; boundary=x" }, payload: "--x--" },
    "unsupported_media_type",
  ],
  [
    "no type",
    { headers: { "content-length": "2" }, payload: Buffer.from("{}") },
    "unsupported_media_type",
  ],
  [
    "gzip",
    { headers: { ...json, "content-encoding": "gzip" }, payload: "x" },
    "unsupported_media_type",
  ],
];

const wrongValues: unknown[] = [
  {},
  [],
  [[]],
  [null],
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "x".repeat(100_000),
  -1,
  0.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  { amount: 1 },
  { amount: "1", currency: "USD" },
  { amount: -1, currency: "USD" },
  { amount: 1.5, currency: "USD" },
  { amount: 2 ** 60, currency: "USD" },
  { amount: 1, currency: "EUR" },
  { amount: 1, currency: "usd" },
  { amount: 1, currency: "USD", more: 1 },
  { grader: "x".repeat(21), grade: "9" },
  { grader: "PSA" },
];

/** Values that are in order for some members. */
const rightFor = (name: string, value: unknown): boolean =>
  (["", " "].includes(value as string) && ["notes", "description"].includes(name)) ||
  (Array.isArray(value) && value.length === 0 && name === "tags");

const queryValues = [
  "",
  "%00",
  "a%00b",
  "%ff",
  "%zz",
  "%ed%a0%80",
  "x".repeat(5_000),
  "NaN",
  "-1",
  "0",
  "1e400",
  "0x1",
  "999999999999999999999999",
  "null",
  "undefined",
  "[]",
  "{}",
  "'; drop table card; --",
  "2026-13-01T00:00:00Z",
  "2026-01-01",
  "9999999-01-01T00:00:00Z",
];
const harmlessFields = new Set(["batch", "location", "set", "game", "sku", "q", "card"]);

const paths = [
  "%00",
  "%ff",
  "%zz",
  "x".repeat(8_000),
  "card_",
  "card_00000000000000000000000000",
  "batch_7zzzzzzzzzzzzzzzzzzzzzzzzz",
  "CARD_01KJN2Z6G0FGZ9PQAFD9R83GQ3",
  "card_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  "..%2f..%2fetc%2fpasswd",
  "%F0%9F%92%A9",
  "1%20or%201=1",
];

function urlOf(path: string, id: string): string {
  return path.replace(/\{\w+\}/, id);
}

const operations = operationsOf(appRouter);

/** What is known to fail answers its documented error, and has changed nothing. */
async function expectRefused(
  method: string,
  url: string,
  more: InjectOptions,
  codes: readonly RestErrorCode[],
): Promise<void> {
  const response = await house.call(dealer.token, method, url, more);
  const { error } = response.json<{ error: { code: RestErrorCode; status: number } }>();
  expect({ url: url.slice(0, 200), code: error?.code }).toEqual({
    url: url.slice(0, 200),
    code: expect.toBeOneOf([...codes]) as string,
  });
  expect(error.status).toBe(restErrorTable[error.code].status);
  expect(response.statusCode).toBe(error.status);
  expect(response.headers["x-ratelimit-limit"]).toMatch(/^\d+$/);
}

describe.each(
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
)("%s", (_name, operation) => {
  const { method, path } = operation;
  const knownId = (): string =>
    path.startsWith("/batches") ? dealer.batch.id : dealer.cards[0].id;
  const documented = errorCodesOf(operation);

  test("refuses what is wrong with one parameter, and changes nothing", async () => {
    const before = await house.dump(dealer);
    for (const name of operation.queryFields.keys()) {
      for (const value of queryValues) {
        const url = `${urlOf(path, knownId())}?${name}=${value}`;
        const response = await house.call(dealer.token, method, url);
        expect({ url: url.slice(0, 200), status: response.statusCode }).toEqual({
          url: url.slice(0, 200),
          // A text may be any text; a number too large is clamped.
          status: expect.toBeOneOf(
            harmlessFields.has(name) || name === "limit" ? [200, 400] : [400],
          ) as number,
        });
      }
      await expectRefused(method, `${urlOf(path, knownId())}?${name}`, {}, ["validation_failed"]);
    }
    for (const name of ["colour", "__proto__", "constructor", "id", "account_id", "limit[]"]) {
      await expectRefused(method, `${urlOf(path, knownId())}?${encodeURIComponent(name)}=1`, {}, [
        "validation_failed",
      ]);
    }
    expect(await house.dump(dealer)).toEqual(before);
  });

  test.runIf(operation.takesBody)("refuses every bad body, and changes nothing", async () => {
    const before = await house.dump(dealer);
    for (const [name, sent, code] of bodies) {
      expect({ name, codes: documented }).toMatchObject({
        codes: expect.arrayContaining([code]) as string[],
      });
      await expectRefused(method, urlOf(path, knownId()), sent, [code]);
    }
    expect(await house.dump(dealer)).toEqual(before);
  });

  test.runIf(operation.takesBody)("refuses every wrong value of every member", async () => {
    const before = await house.dump(dealer);
    const members = Object.keys(inputShape(operation.inputs)).filter((name) => name !== "id");
    expect(members).not.toEqual([]);
    for (const name of members) {
      for (const value of wrongValues.filter((one) => !rightFor(name, one))) {
        if (name === "print_run" || name === "year" || name === "quantity") {
          if (value === 2 ** 53) continue;
        }
        await expectRefused(
          method,
          urlOf(path, knownId()),
          { headers: json, payload: JSON.stringify({ [name]: value }) },
          ["validation_failed"],
        );
      }
    }
    expect(await house.dump(dealer)).toEqual(before);
  });

  test.runIf(operation.pathParameters.length > 0)(
    "answers a malformed id like an unknown one",
    async () => {
      const { notFoundCode } = operation.meta;
      if (notFoundCode === undefined) throw new Error("An id can be unknown");
      for (const id of paths) await expectRefused(method, urlOf(path, id), {}, [notFoundCode]);
    },
  );
});
