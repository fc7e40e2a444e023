import { describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import type { Logger } from "./logger.ts";

const secret = "s3cr3t-v4lue-0f-s0me0ne";

function capture(): { logger: Logger; lines: () => string[]; last: () => Record<string, unknown> } {
  const lines: string[] = [];
  const logger = createLogger({
    name: "test",
    level: "trace",
    destination: { write: (line) => void lines.push(line) },
  });
  return {
    logger,
    lines: () => lines,
    last: () => JSON.parse(lines.at(-1) ?? "null") as Record<string, unknown>,
  };
}

/** Every way in which a secret has been seen to come into a log. */
const leaks: readonly (readonly [name: string, write: (logger: Logger) => void])[] = [
  ...[
    "authorization",
    "Authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "Set-Cookie",
    "x-vault-signature",
    "X-Vault-Signature",
    "webhook-signature",
    "password",
    "newPassword",
    "current_password",
    "token",
    "refresh_token",
    "accessToken",
    "secret",
    "signingSecret",
    "secrets",
    "client_secret",
    "apiKey",
    "api_key",
    "x-api-key",
    "privateKey",
    "credentials",
    "VAULT_ENCRYPTION_KEYS",
    "passphrase",
  ].map((name) => [name, (logger: Logger) => logger.info({ [name]: secret }, "x")] as const),
  [
    "a header",
    (logger) => logger.info({ req: { headers: { authorization: `Bearer ${secret}` } } }),
  ],
  ["a list", (logger) => logger.info({ "set-cookie": [`a=${secret}`, `b=${secret}`] })],
  ["an object under a secret's name", (logger) => logger.info({ secret: { value: secret } })],
  [
    "ten levels deep",
    (logger) => logger.info({ a: { a: { a: { a: [{ a: { token: secret } }] } } } }),
  ],
  ["a child's binding", (logger) => logger.child({ token: secret }).info("x")],
  ["a child's nested binding", (logger) => logger.child({ a: { token: secret } }).info("x")],
  [
    "another's serializer",
    (logger) =>
      logger
        .child({}, { serializers: { req: () => ({ headers: { cookie: secret } }) } })
        .info({ req: 1 }),
  ],
  ["a bearer token in a message", (logger) => logger.info(`got Bearer ${secret}`)],
  ["a formatted message", (logger) => logger.info("got %s", `Basic ${secret}`)],
  ["a URL's password", (logger) => logger.info(`postgres://vault:${secret}@db:5432/vault failed`)],
  ["a URL's user", (logger) => logger.info({ url: `https://${secret}@example.com/` })],
  ["a password with an at sign", (logger) => logger.info({ url: `mongodb://u:p@${secret}@db/x` })],
  ["a query parameter", (logger) => logger.info({ url: `/photos/1?token=${secret}&size=2` })],
  ["an error's message", (logger) => logger.error(new Error(`no mongodb://vault:${secret}@db`))],
  ["an error under err", (logger) => logger.error({ err: new Error(`password=${secret}`) }, "x")],
  [
    "an error's cause",
    (logger) => logger.error(new Error("a", { cause: new Error(`token=${secret}`) })),
  ],
  ["an error's member", (logger) => logger.error(Object.assign(new Error("a"), { token: secret }))],
  ["JSON as text", (logger) => logger.info({ body: JSON.stringify({ password: secret, a: 1 }) })],
  [
    "JSON as text with an escaped quote",
    (logger) => logger.info({ body: JSON.stringify({ password: `a"${secret}` }) }),
  ],
  [
    "a Map's look-alike",
    (logger) => logger.info({ headers: Object.entries({ authorization: `Bearer ${secret}` }) }),
  ],
];

describe("logger", () => {
  it("reads a line once however long its words are: a stranger's text must not hold the process", () => {
    const { logger, last } = capture();
    logger.info({ said: "a".repeat(1_000_000) }, `${"b".repeat(1_000_000)}://me:${secret}@host/`);
    expect(JSON.stringify(last())).not.toContain(secret);
  });

  it("writes one JSON object a line", () => {
    const { logger, lines, last } = capture();
    logger.child({ requestId: "req_1" }).warn({ status: 404, tokens: 120 }, "answered");
    expect(lines()).toHaveLength(1);
    expect(lines()[0]?.endsWith("}\n")).toBe(true);
    expect(last()).toEqual({
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      service: "test",
      pid: process.pid,
      requestId: "req_1",
      status: 404,
      tokens: 120,
      msg: "answered",
    });
  });

  it("keeps an error's message, stack and cause", () => {
    const { logger, last } = capture();
    logger.error({ err: new Error("outer", { cause: new Error("inner") }) }, "failed");
    const err = last()["err"] as Record<string, string>;
    expect(err["message"]).toContain("outer");
    expect(err["message"]).toContain("inner");
    expect(err["stack"]).toContain("logger.test.ts");
  });

  it("is silent below its level", () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    createLogger({ name: "test", destination }).debug("x");
    expect(lines).toEqual([]);
  });

  it.each(leaks)("lets no secret into a line: %s", (_name, write) => {
    const { logger, lines } = capture();
    write(logger);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).not.toContain(secret);
    expect(lines()[0]).toContain("[redacted]");
    expect(() => JSON.parse(lines()[0] ?? "")).not.toThrow();
  });

  it("knows our own keys and signing secrets by their form", () => {
    const { logger, lines } = capture();
    const key = `cv_live_${"a1B2".repeat(9)}zz`;
    const signing = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    logger.info({ note: `${key} and ${signing}` }, `${signing} ${key}`);
    expect(lines()[0]).not.toContain("a1B2");
    expect(lines()[0]).not.toContain("Bwc");
  });

  it("leaves what is no secret alone", () => {
    const { logger, last } = capture();
    const harmless = {
      keyId: "key_01h455vb4pex5vsknk084sn02q",
      url: "https://example.com/a?b=c",
      mail: "a@example.com",
      body: '{"title":"a \\"quoted\\" name"}',
      token: null,
      hasPassword: true,
    };
    logger.info(harmless, "token refused: no bearer");
    expect(last()).toMatchObject({ ...harmless, msg: "token refused: no bearer" });
  });
});

it("an error is told without the objects that a library hung on it", () => {
  class Connection {
    readonly host = "database.internal";
  }
  const { logger, last } = capture();
  const error = Object.assign(new Error("lost", { cause: new Error("reset") }), {
    code: "57P01",
    client: new Connection(),
    details: [{ path: "title", message: "Too long" }],
  });
  logger.warn({ err: error }, "a connection was lost");
  const { err } = last() as { err: Record<string, unknown> };
  expect(err).toMatchObject({ type: "Error", code: "57P01", details: [{ path: "title" }] });
  expect(err["message"]).toContain("lost");
  expect(String(err["stack"])).toContain("reset");
  expect(JSON.stringify(last())).not.toContain("database.internal");
});
