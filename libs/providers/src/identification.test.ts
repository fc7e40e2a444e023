import { identification as identificationSchema } from "@cardvault/contract";
import type { FaultKind } from "@cardvault/simulators";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSandbox } from "./fixtures.ts";
import type { Sandbox } from "./fixtures.ts";
import type { Access } from "./adapter.ts";
import { createMemoryTurns } from "./call/turns.ts";
import { createGenerative } from "./generative/generative.ts";
import type { GenerativeProvider } from "./generative/access.ts";
import type { CardIdentifier, ProviderFailureCode } from "./ports.ts";
import { createCardSight } from "./recognition/cardsight.ts";
import { createXimilar } from "./recognition/ximilar.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.stop());

type Make = (more?: Partial<Access>) => CardIdentifier;
const model =
  (provider: GenerativeProvider, protocol: string): Make =>
  (more) =>
    createGenerative(sandbox.house, {
      ...sandbox.access(protocol, more),
      provider,
      model: provider === "anthropic" ? "claude-sonnet-4-5" : "sandbox-vision",
      inputCents: 30,
      outputCents: 250,
    });

const adapters: readonly (readonly [protocol: string, make: Make])[] = [
  [
    "cardsight",
    (more) =>
      createCardSight(
        sandbox.house,
        sandbox.access("cardsight", { callCostMicros: 9_000, ...more }),
      ),
  ],
  [
    "ximilar",
    (more) =>
      createXimilar(sandbox.house, sandbox.access("ximilar", { callCostMicros: 12_000, ...more })),
  ],
  ["google", model("google", "google")],
  ["openai", model("openai_compatible", "openai")],
  ["anthropic", model("anthropic", "anthropic")],
];
const recognisers = ["cardsight", "ximilar"];

interface SentSchema {
  required?: string[];
  properties?: object;
}
interface SentToModel {
  generationConfig?: {
    responseMimeType: string;
    responseSchema?: SentSchema;
    responseJsonSchema?: SentSchema;
  };
  response_format?: { type: string; json_schema: { strict: boolean; schema: SentSchema } };
  output_format?: { type: string; schema: SentSchema };
  output_config?: { format: { type: string; schema: SentSchema } };
}

/** Where each protocol has the schema that a model must keep to. */
function schemaIn(protocol: string, body: SentToModel): SentSchema | undefined {
  if (protocol === "google") {
    expect(body.generationConfig?.responseMimeType).toBe("application/json");
    return body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema;
  }
  if (protocol === "openai") {
    expect(body.response_format).toMatchObject({
      type: "json_schema",
      json_schema: { strict: true },
    });
    return body.response_format?.json_schema.schema;
  }
  const format = body.output_config?.format ?? body.output_format;
  expect(format?.type).toBe("json_schema");
  return format?.schema;
}

/** A key of the test's own, so that its fault is nobody else's. */
let keys = 0;
const ownKey = (): string => `key-${(keys += 1)}`;

describe.each(adapters)("%s", (protocol, make) => {
  test("says which card it is, and what it cost", async () => {
    const result = await make().identify(await sandbox.photo("applied"));
    if (!result.ok) throw new Error(result.code);
    const [card] = result.candidates;
    expect(result.outcome).toBe("matched");
    expect(card?.identification).toMatchObject({
      title: expect.stringMatching(/^\w+ \w+$/),
      set: "Ember Coast",
      number: "12/142",
      year: 2023,
    });
    expect(identificationSchema.parse(card?.identification)).toEqual(card?.identification);
    expect(result.report).toMatchObject({ tries: 1, costMicros: expect.any(Number) });
    expect(result.report.durationMs).toBeGreaterThanOrEqual(0);
  });

  test("knows a card upside down and in another format and size", async () => {
    const { bytes } = await sandbox.photo("applied");
    const turned = await sharp(bytes)
      .rotate(180)
      .resize({ width: 480 })
      .webp({ quality: 70 })
      .toBuffer();
    const result = await make().identify({ bytes: turned, type: "image/webp" });
    expect(result.ok && result.candidates[0]?.identification.number).toBe("12/142");
  });

  test.each(["both_failed"] as const)("finds no card: %s", async (outcome) => {
    const result = await make().identify(await sandbox.photo(outcome));
    expect(result).toMatchObject({ ok: true, outcome: "no_match", candidates: [] });
  });

  test("finds no card in a picture that shows none", async () => {
    const plain = await sharp({
      create: { width: 300, height: 420, channels: 3, background: "#777" },
    })
      .jpeg()
      .toBuffer();
    const result = await make().identify({ bytes: plain, type: "image/jpeg" });
    expect(result).toMatchObject({ ok: true, outcome: "no_match" });
  });

  test("a set is no identification", async () => {
    const result = await make().identify(await sandbox.photo("set_level"));
    expect(result).toMatchObject({ ok: true, outcome: "set_level" });
    expect(result.ok && result.candidates[0]?.identification).toMatchObject({
      title: null,
      set: "Ember Coast",
    });
  });

  test("is not sure of what can hardly be read", async () => {
    const result = await make().identify(await sandbox.photo("low_confidence"));
    expect(result.ok && result.candidates[0]?.confidence).toBeLessThan(0.85);
  });

  test("an error of its own is a failure", async () => {
    const result = await make().identify(await sandbox.photo("provider_errors"));
    expect(result).toMatchObject({ ok: false, code: "unavailable" });
  });

  test("another card's answer is another card: only what checks it can tell", async () => {
    const key = ownKey();
    await sandbox.fault(protocol, "wrong_card", { key });
    const result = await make({ key }).identify(await sandbox.photo("applied"));
    expect(result.ok && result.candidates[0]?.identification.number).toBe("13/142");
  });

  const failures: readonly (readonly [FaultKind, ProviderFailureCode, tries: number])[] = [
    ["error", "unavailable", 3],
    ["unavailable", "unavailable", 3],
    ["dropped", "unavailable", 3],
    ["rate_limited", "rate_limited", 3],
    ["unauthorized", "unauthorized", 1],
    ["quota", "quota", 1],
    ["html", "malformed_answer", 1],
    ["malformed", "malformed_answer", 1],
    ["wrong_shape", "malformed_answer", 1],
    ["huge", "malformed_answer", 1],
  ];
  test.each(failures)("%s is %s after %i tries", async (fault, code, tries) => {
    const key = ownKey();
    await sandbox.fault(protocol, fault, { key });
    const result = await make({ key }).identify(await sandbox.photo("applied"));
    expect(result).toMatchObject({ ok: false, code, report: { tries } });
  });

  test.each(["slow", "drip"] as const)("%s ends at the deadline", async (fault) => {
    const key = ownKey();
    await sandbox.fault(protocol, fault, { key, delay_ms: 60_000 });
    const result = await make({ key, deadlineMs: 400 }).identify(await sandbox.photo("applied"));
    expect(result).toMatchObject({ ok: false, code: "timeout" });
  });

  test("what passes is tried again, and then succeeds", async () => {
    for (const fault of ["error", "dropped", "unavailable"] as const) {
      const key = ownKey();
      await sandbox.fault(protocol, fault, { key, remaining: 1 });
      const result = await make({ key }).identify(await sandbox.photo("applied"));
      expect(result).toMatchObject({ ok: true, outcome: "matched", report: { tries: 2 } });
    }
  });

  test("Retry-After is honoured: not waited for beyond the deadline, and told", async () => {
    const key = ownKey();
    await sandbox.fault(protocol, "rate_limited", { key, retry_after_seconds: 30 });
    const adapter = make({ key, deadlineMs: 2_000 });
    const result = await adapter.identify(await sandbox.photo("applied"));
    expect(result).toMatchObject({
      ok: false,
      code: "rate_limited",
      retryAfterMs: 30_000,
      report: { tries: 1 },
    });
    // The house now waits with everybody; other tests need turns that are open.
    sandbox.house = { ...sandbox.house, turns: createMemoryTurns() };
  });

  test("the caller can give up", async () => {
    const key = ownKey();
    await sandbox.fault(protocol, "slow", { key, delay_ms: 60_000 });
    const gone = new AbortController();
    const result = make({ key }).identify(await sandbox.photo("applied"), {}, gone.signal);
    gone.abort();
    expect(await result).toMatchObject({ ok: false, code: "cancelled" });
  });

  test("nothing that the provider wrote, and no key, is in a result or in plain sight", async () => {
    const key = ownKey();
    await sandbox.fault(protocol, "error", { key });
    const result = await make({ key }).identify(await sandbox.photo("applied"));
    expect(JSON.stringify(result)).not.toContain("internal detail");
    expect(JSON.stringify(result)).not.toContain(key);
    expect(sandbox.logged()).toContain("internal detail");
    expect(sandbox.logged()).not.toContain(`"${key}"`);
  });
});

describe("a refusal in the provider's own statuses", () => {
  test.each([
    ["cardsight", 400, "invalid_image", 1],
    ["cardsight", 401, "unauthorized", 1],
    ["cardsight", 404, "refused", 1],
    ["cardsight", 408, "unavailable", 3],
    ["cardsight", 503, "unavailable", 3],
    ["ximilar", 400, "invalid_image", 1],
    ["ximilar", 403, "unauthorized", 1],
    ["google", 400, "refused", 1],
    ["openai", 404, "refused", 1],
    ["anthropic", 413, "invalid_image", 1],
    ["anthropic", 529, "unavailable", 3],
  ] as const)(
    "%s, %i: %s after %i tries, and not a word of it",
    async (name, status, code, tries) => {
      const key = ownKey();
      await sandbox.fault(name, "refused", { key, status });
      const make = adapters.find(([protocol]) => protocol === name)?.[1];
      const result = await make?.({ key }).identify(await sandbox.photo("applied"));
      expect(result).toMatchObject({ ok: false, code, report: { tries } });
      expect(JSON.stringify(result)).not.toMatch(/internal|detail|simulated/iu);
    },
  );
});

describe("what is sent", () => {
  const lastRequest = () => {
    const last = sandbox.requests.at(-1);
    if (last === undefined) throw new Error("Nothing was sent.");
    return last.request;
  };

  test("cardsight gets a multipart form with the picture's own bytes and type", async () => {
    const image = await sandbox.photo("applied");
    await adapters[0]?.[1]().identify(image, { game: "Baseball" });
    const { method, path, headers, body } = lastRequest();
    expect([method, path]).toEqual(["POST", "/v1/identify/card/baseball"]);
    expect(headers["x-api-key"]).toBe("key-of-cardsight");
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(body.includes(Buffer.from(image.bytes))).toBe(true);
    expect(body.toString("latin1")).toMatch(
      /name="image"; filename="card\.jpeg"\r\nContent-Type: image\/jpeg\r\n\r\n/i,
    );
  });

  test("ximilar gets a token and the picture in base 64", async () => {
    const image = await sandbox.photo("applied");
    await adapters[1]?.[1]().identify(image, { game: "Baseball" });
    const { path, headers, body } = lastRequest();
    expect(path).toBe("/collectibles/v2/sport_id");
    expect(headers.authorization).toBe("Token key-of-ximilar");
    expect(JSON.parse(body.toString())).toEqual({
      records: [{ _base64: Buffer.from(image.bytes).toString("base64") }],
    });
  });

  test.each([
    ["google", "/v1beta/models/sandbox-vision:generateContent", "x-goog-api-key", "key-of-google"],
    ["openai", "/v1/chat/completions", "authorization", "Bearer key-of-openai"],
    ["anthropic", "/v1/messages", "x-api-key", "key-of-anthropic"],
  ])("%s gets the picture, the hint and a schema", async (protocol, path, header, value) => {
    const image = await sandbox.photo("applied");
    const make = adapters.find(([name]) => name === protocol)?.[1];
    await make?.().identify(image, { game: "Aetherbound" });
    const request = lastRequest();
    expect(request.path).toBe(path);
    expect(request.headers[header]).toBe(value);
    const text = request.body.toString();
    expect(text).toContain(Buffer.from(image.bytes).toString("base64"));
    expect(text).toContain("the game is: Aetherbound");
    expect(text).toContain('"cert_number"');
    const schema = schemaIn(protocol, JSON.parse(text) as SentToModel);
    // Every member is asked for, so that what cannot be read is said to be null and not left out.
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    expect(schema?.required?.toSorted()).toEqual(Object.keys(schema?.properties ?? {}).toSorted());
    expect(schema?.required).toEqual(
      expect.arrayContaining([
        "title",
        "game",
        "set",
        "number",
        "grader",
        "confidence",
        "unreadable",
      ]),
    );
  });
});

test("calls are counted for the health of providers, cancelled ones are not", () => {
  const codes = new Set(sandbox.outcomes.map(({ code }) => code));
  expect(codes).toContain(null);
  expect(codes).toContain("unauthorized");
  expect(codes).not.toContain("cancelled");
  expect(recognisers.every((name) => sandbox.outcomes.some((it) => it.provider === name))).toBe(
    true,
  );
});
