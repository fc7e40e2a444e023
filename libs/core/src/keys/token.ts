import { hash, randomInt } from "node:crypto";
import type { Environment } from "@cardvault/contract";
import { crc32 } from "node:zlib";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 32;
/** 62^6 is above 2^32. */
const checksumLength = 6;
const shape = new RegExp(
  `^cv_(live|test)_([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

export interface ParsedToken {
  environment: Environment;
  /** SHA-256 of the whole token, which is all that is stored of it. */
  hash: Buffer;
}

/** The prefix of an environment's tokens (spec, section 5). */
export function tokenPrefix(environment: Environment): "cv_live_" | "cv_test_" {
  return `cv_${environment}_`;
}

/** A new token: prefix, 32 random base-62 characters (190 bits) and 6 of their CRC-32. */
export function generateToken(environment: Environment): string {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(digits.length)]).join(
    "",
  );
  const body = tokenPrefix(environment) + secret;
  return body + checksum(body);
}

/**
 * A token that has the form and the checksum of ours; null for any other text, so that a typing
 * error costs no query. CRC-32 finds every change of one character.
 */
export function parseToken(token: string): ParsedToken | null {
  const match = shape.exec(token);
  if (match === null) return null;
  const body = token.slice(0, -checksumLength);
  if (checksum(body) !== match[3]) return null;
  return { environment: match[1] as Environment, hash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** The prefix is summed too: `cv_live_` typed for `cv_test_` is a typing error like any other. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let i = 0; i < checksumLength; i += 1) {
    text = (digits[rest % digits.length] ?? "") + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}
