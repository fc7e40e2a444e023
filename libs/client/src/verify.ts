import { createHmac, timingSafeEqual } from "node:crypto";
import type { VaultEvent } from "./events.ts";

/** Why a request was refused. */
export type WebhookRefusal =
  | "no_secret"
  | "missing_signature"
  | "malformed_signature"
  | "wrong_signature"
  | "too_old"
  | "too_new"
  | "malformed_body";

const sentences: Record<WebhookRefusal, string> = {
  no_secret: "No signing secret was given.",
  missing_signature: "The request has no X-Vault-Signature header.",
  malformed_signature: "The X-Vault-Signature header is not of the form t=<unix>,v1=<hex>.",
  wrong_signature: "The signature was not made with this secret for this body.",
  too_old: "The signature is too old.",
  too_new: "The signature's time lies in the future.",
  malformed_body: "The body is not an event.",
};

/** The request is not a fresh, genuine event: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, options?: ErrorOptions) {
    super(sentences[reason], options);
    this.reason = reason;
  }
}

export type VerifyOptions = {
  /** How far the signature's time may lie from now, either way. 300 by default (spec, section 5). */
  toleranceSeconds?: number | undefined;
  /** The present moment, for tests. */
  now?: Date | undefined;
};

/**
 * Verifies a request to a webhook endpoint and gives back its event.
 *
 * @param rawBody The body's bytes exactly as they arrived. Parsed and printed again it has other bytes.
 * @param header The value of `X-Vault-Signature`.
 * @param secrets The endpoint's whole secret, `whsec_` included; during a rotation the old and the new one.
 * @throws WebhookVerificationError whose `reason` says why the request is refused.
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  header: string | readonly string[] | undefined,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): VaultEvent {
  const keys = typeof secrets === "string" ? [secrets] : secrets;
  // Anybody can sign with an empty key, so an unset variable must not pass for a secret.
  if (keys.length === 0 || keys.includes("")) throw new WebhookVerificationError("no_secret");

  const { time, signatures } = parseHeader(header);
  if (!isSigned(rawBody, time, signatures, keys)) {
    throw new WebhookVerificationError("wrong_signature");
  }

  const toleranceMs = (options.toleranceSeconds ?? 300) * 1000;
  const ageMs = (options.now ?? new Date()).getTime() - Number(time) * 1000;
  // Written so that a tolerance or a time that is not a number refuses instead of letting through.
  if (!(ageMs <= toleranceMs)) throw new WebhookVerificationError("too_old");
  if (!(ageMs >= -toleranceMs)) throw new WebhookVerificationError("too_new");

  return parseEvent(rawBody);
}

const maxHeaderLength = 1024;

function parseHeader(header: string | readonly string[] | undefined): {
  time: string;
  signatures: Buffer[];
} {
  if (header === undefined || header === "")
    throw new WebhookVerificationError("missing_signature");
  // Node types a header as one or several; several are never ours.
  if (typeof header !== "string") throw new WebhookVerificationError("malformed_signature");
  const times: string[] = [];
  const signatures: Buffer[] = [];
  let wellFormed = header.length <= maxHeaderLength;
  for (const part of wellFormed ? header.split(",") : []) {
    const [, name, value] = /^([a-z][a-z0-9]*)=([0-9A-Za-z+/=_-]+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) {
      wellFormed = false;
    } else if (name === "t") {
      times.push(value);
    } else if (name === "v1") {
      wellFormed &&= /^[0-9a-f]{64}$/.test(value);
      signatures.push(Buffer.from(value, "hex"));
    }
    // Another name is a later kind of signature, which this version does not know.
  }
  const [time] = times;
  if (
    !wellFormed ||
    time === undefined ||
    times.length !== 1 ||
    !/^\d{1,12}$/.test(time) ||
    signatures.length === 0
  ) {
    throw new WebhookVerificationError("malformed_signature");
  }
  return { time, signatures };
}

/** Whether any signature is that of any key. Every pair is compared, each in constant time. */
function isSigned(
  rawBody: Uint8Array | string,
  time: string,
  signatures: readonly Buffer[],
  keys: readonly string[],
): boolean {
  let signed = false;
  for (const key of keys) {
    const expected = createHmac("sha256", key).update(`${time}.`).update(rawBody).digest();
    for (const signature of signatures) {
      const same = timingSafeEqual(signature, expected);
      signed ||= same;
    }
  }
  return signed;
}

function parseEvent(rawBody: Uint8Array | string): VaultEvent {
  let value: unknown;
  try {
    const text =
      typeof rawBody === "string"
        ? rawBody
        : new TextDecoder("utf-8", { fatal: true }).decode(rawBody);
    value = JSON.parse(text);
  } catch (error) {
    throw new WebhookVerificationError("malformed_body", { cause: error });
  }
  if (!isEvent(value)) throw new WebhookVerificationError("malformed_body");
  return value;
}

/** The envelope is checked; `data` is what the service signed, and its form is published by event. */
function isEvent(value: unknown): value is VaultEvent {
  if (typeof value !== "object" || value === null) return false;
  const members = value as Record<string, unknown>;
  return (
    ["id", "event", "created_at", "account_id"].every(
      (name) => typeof members[name] === "string",
    ) &&
    typeof members["data"] === "object" &&
    members["data"] !== null
  );
}
