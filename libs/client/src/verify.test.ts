import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "./verify.ts";
import type { VerifyOptions } from "./verify.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const otherSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs=";
const time = 1_772_357_400;
const now = new Date(time * 1000);
const event = {
  id: "evt_01kjn2z6g0fgz9pqafd9r83gq3",
  event: "card.priced",
  created_at: "2026-03-01T09:30:00.000Z",
  account_id: "acc_01kjn2z6g0fgz9pqafd9r83gq3",
  data: {
    card_id: "card_01kjn2z6g0fgz9pqafd9r83gq3",
    asking_price: { amount: 1250, currency: "USD" },
  },
};
const body = JSON.stringify(event);

function hmac(key: string, t: number | string, raw: Uint8Array | string): string {
  return createHmac("sha256", key).update(`${t}.`).update(raw).digest("hex");
}

function header(raw: Uint8Array | string = body, t: number | string = time, key = secret): string {
  return `t=${t},v1=${hmac(key, t, raw)}`;
}

/** The reason of the refusal, or "accepted". */
function outcome(
  raw: Uint8Array | string,
  value: string | string[] | undefined,
  secrets: string | string[] = secret,
  options: VerifyOptions = { now },
): string {
  try {
    verifyWebhook(raw, value, secrets, options);
    return "accepted";
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
}

describe("verifyWebhook", () => {
  it("gives back the event, from text or bytes", () => {
    expect(verifyWebhook(body, header(), secret, { now })).toEqual(event);
    expect(verifyWebhook(Buffer.from(body), header(), secret, { now })).toEqual(event);
  });

  it("agrees with a signature made by openssl", () => {
    // printf '%s' '1772357400.{"id":"evt_1","event":"e","created_at":"c","account_id":"a","data":{}}' |
    //   openssl dgst -sha256 -hmac whsec_test
    const raw = '{"id":"evt_1","event":"e","created_at":"c","account_id":"a","data":{}}';
    const made = "d45753f0c86814ddee9bfb0fda88b36c872e4815712109c193a1e70bbc9147b6";
    expect(outcome(raw, `t=1772357400,v1=${made}`, "whsec_test")).toBe("accepted");
  });

  it("signs with the whole secret and not with its decoded bytes", () => {
    const decoded = Buffer.from(secret.slice("whsec_".length), "base64");
    const made = createHmac("sha256", decoded).update(`${time}.${body}`).digest("hex");
    expect(outcome(body, `t=${time},v1=${made}`)).toBe("wrong_signature");
  });

  it("takes several secrets, as during a rotation", () => {
    expect(outcome(body, header(body, time, otherSecret), [secret, otherSecret])).toBe("accepted");
    expect(outcome(body, header(), [secret, otherSecret])).toBe("accepted");
    expect(outcome(body, header(), [otherSecret])).toBe("wrong_signature");
  });

  it("takes several signatures, and other kinds beside them", () => {
    const wrong = hmac(otherSecret, time, body);
    const right = hmac(secret, time, body);
    expect(outcome(body, `t=${time},v1=${wrong},v1=${right}`)).toBe("accepted");
    expect(outcome(body, `t=${time},v1=${right},v2=abc`)).toBe("accepted");
    expect(outcome(body, `t=${time},v1=${wrong},v1=${wrong}`)).toBe("wrong_signature");
  });

  it("refuses more than five minutes, either way", () => {
    const at = (seconds: number): VerifyOptions => ({ now: new Date((time + seconds) * 1000) });
    expect(outcome(body, header(), secret, at(300))).toBe("accepted");
    expect(outcome(body, header(), secret, at(300.001))).toBe("too_old");
    expect(outcome(body, header(), secret, at(-300))).toBe("accepted");
    expect(outcome(body, header(), secret, at(-300.001))).toBe("too_new");
    expect(outcome(body, header(), secret, { ...at(20), toleranceSeconds: 10 })).toBe("too_old");
  });

  it("uses the machine's clock where no time is given", () => {
    const t = Math.floor(Date.now() / 1000);
    expect(outcome(body, header(body, t), secret, {})).toBe("accepted");
    expect(outcome(body, header(body, t - 400), secret, {})).toBe("too_old");
  });

  it("refuses where the tolerance or the time is not a number", () => {
    expect(outcome(body, header(), secret, { now, toleranceSeconds: Number.NaN })).toBe("too_old");
    expect(outcome(body, header(), secret, { now: new Date(Number.NaN) })).toBe("too_old");
  });

  it("refuses an empty secret, with which anybody could sign", () => {
    expect(outcome(body, header(body, time, ""), "")).toBe("no_secret");
    expect(outcome(body, header(), [secret, ""])).toBe("no_secret");
    expect(outcome(body, header(), [])).toBe("no_secret");
  });

  const v1 = hmac(secret, time, body);
  it.each([
    ["no time", `v1=${v1}`],
    ["no signature", `t=${time}`],
    ["two times", `t=${time},t=${time},v1=${v1}`],
    ["a time that is no number", `t=now,v1=${v1}`],
    ["a negative time", `t=-1,v1=${v1}`],
    ["a fractional time", `t=${time}.5,v1=${v1}`],
    ["a short signature", `t=${time},v1=${v1.slice(2)}`],
    ["a long signature", `t=${time},v1=${v1}00`],
    ["upper case", `t=${time},v1=${v1.toUpperCase()}`],
    ["no hexadecimal", `t=${time},v1=${"g".repeat(64)}`],
    ["white space", `t=${time}, v1=${v1}`],
    ["a trailing comma", `t=${time},v1=${v1},`],
    ["no member", "garbage"],
    ["far too long", `t=${time}${`,v1=${v1}`.repeat(100)}`],
    ["a list of headers", [header(), header()]],
  ])("refuses a header with %s", (_, value) => {
    expect(outcome(body, value)).toBe("malformed_signature");
  });

  it("refuses a request without the header", () => {
    expect(outcome(body, undefined)).toBe("missing_signature");
    expect(outcome(body, "")).toBe("missing_signature");
  });

  it.each([
    "",
    "null",
    "[]",
    "{}",
    "{",
    '{"id":"evt_1"}',
    JSON.stringify({ ...event, data: null }),
  ])("refuses the signed body %j, which is no event", (raw) => {
    expect(outcome(raw, header(raw))).toBe("malformed_body");
  });

  it("refuses a signed body that is not UTF-8", () => {
    const raw = Buffer.concat([
      Buffer.from(body.slice(0, -1)),
      Buffer.from([0xff]),
      Buffer.from("}"),
    ]);
    expect(outcome(raw, header(raw))).toBe("malformed_body");
  });
});

/** The same bytes with one of them changed. */
const changed = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }))
    .map(([index, mask]) => bytes.map((byte, at) => (at === index ? byte ^ mask : byte)))
    .map((other) => Buffer.from(other));

describe("any changed byte", () => {
  it("of the body is refused", () => {
    fc.assert(
      fc.property(changed(Buffer.from(body)), (raw) => {
        expect(outcome(raw, header())).toBe("wrong_signature");
      }),
    );
  });

  it("of the header, its time and its signature, is refused", () => {
    fc.assert(
      fc.property(changed(Buffer.from(header(), "latin1")), (value) => {
        expect(outcome(body, value.toString("latin1"))).not.toBe("accepted");
      }),
      { numRuns: 1000 },
    );
  });

  it("of the secret is refused", () => {
    fc.assert(
      fc.property(changed(Buffer.from(secret, "latin1")), (key) => {
        expect(outcome(body, header(), key.toString("latin1"))).toBe("wrong_signature");
      }),
    );
  });

  it("of the time is refused, even where the new one is fresh", () => {
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 300 }), (shift) => {
        fc.pre(shift !== 0);
        const value = `t=${time + shift},v1=${hmac(secret, time, body)}`;
        expect(outcome(body, value)).toBe("wrong_signature");
      }),
    );
  });
});
