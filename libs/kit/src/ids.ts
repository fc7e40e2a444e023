import { V7Generator } from "uuidv7";

/** What stands before the `_` of each kind of identifier. */
export type IdPrefix =
  | "card"
  | "batch"
  | "lst"
  | "evt"
  | "acc"
  | "whe"
  | "dlv"
  | "key"
  | "img"
  | "job"
  | "ntc"
  | "sale"
  | "view"
  | "imp"
  | "pim"
  | "idn"
  | "req";

/** A text that was taken for an id, or for a UUID, and is not one. Its message never repeats the text. */
export class InvalidIdError extends Error {
  override readonly name = "InvalidIdError";
}

// Written here, because typeid-js needs 1.5 to 2 µs for each direction and this a tenth of it, and a
// page of a list has hundreds of ids.
//
// A TypeID's suffix is 26 digits of Crockford's base 32 in lower case: 130 bits, of which the first
// two are zero. 30 hexadecimal digits are exactly 24 of those digits, so both directions work on
// one pair of digits and six groups of 20 bits.
const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const hexDigits = "0123456789abcdef";
const suffixLength = 26;
const uuidLength = 36;

/** Two digits for each number of 10 bits. */
const digitPairs: readonly string[] = Array.from(
  { length: 1024 },
  (_, value) => `${digits.charAt(value >> 5)}${digits.charAt(value & 31)}`,
);
/** The value of a digit by its character code; 255 for what is none. Upper case is not canonical. */
const digitValues = new Uint8Array(128).fill(255);
for (const [value, digit] of Array.from(digits).entries()) digitValues[digit.charCodeAt(0)] = value;
/** The value of a hexadecimal digit, in either case. */
const hexValues = new Uint8Array(128).fill(255);
for (const [value, digit] of Array.from(hexDigits).entries()) {
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}
const hexCodes = Uint8Array.from(hexDigits, (digit) => digit.charCodeAt(0));
/** Where the 32 hexadecimal digits stand in a UUID's text. */
const uuidPositions = Uint8Array.from(
  Array.from({ length: uuidLength }, (_, index) => index).filter(
    (index) => index !== 8 && index !== 13 && index !== 18 && index !== 23,
  ),
);
const uuidBuffer = Buffer.from("00000000-0000-0000-0000-000000000000", "latin1");

const generator = new V7Generator();

/**
 * A new id: the prefix and a UUIDv7 (RFC 9562). Ids of one process ascend in the order in which
 * they were made, also within a millisecond.
 */
export function newId(prefix: IdPrefix): string {
  const { bytes } = generator.generate();
  let suffix = digitPairs[bytes[0] ?? 0] ?? "";
  // 15 bytes are left: five bytes are two groups of 20 bits.
  for (let at = 1; at < 16; at += 5) {
    const high =
      ((bytes[at] ?? 0) << 12) | ((bytes[at + 1] ?? 0) << 4) | ((bytes[at + 2] ?? 0) >> 4);
    const low =
      (((bytes[at + 2] ?? 0) & 15) << 16) | ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0);
    suffix += pairsOf(high) + pairsOf(low);
  }
  return `${prefix}_${suffix}`;
}

/**
 * The id of a UUID in its text form, as PostgreSQL prints it.
 * @throws InvalidIdError if the text is not a UUID of the form 8-4-4-4-12.
 */
export function toId(prefix: IdPrefix, uuid: string): string {
  if (uuid.length !== uuidLength) throw new InvalidIdError("Not a UUID.");
  // Whatever is no digit gives 255 and is seen at the end, so that the way of a good one has no branches.
  let all = hexAt(uuid, 0) | hexAt(uuid, 1);
  let suffix = digitPairs[((hexAt(uuid, 0) << 4) | hexAt(uuid, 1)) & 1023] ?? "";
  for (let at = 2; at < 32; at += 5) {
    const a = hexAt(uuid, at);
    const b = hexAt(uuid, at + 1);
    const c = hexAt(uuid, at + 2);
    const d = hexAt(uuid, at + 3);
    const e = hexAt(uuid, at + 4);
    all |= a | b | c | d | e;
    suffix += pairsOf((((a << 16) | (b << 12) | (c << 8) | (d << 4) | e) & 0xf_ff_ff) >>> 0);
  }
  if (all > 15 || !hasUuidHyphens(uuid)) throw new InvalidIdError("Not a UUID.");
  return `${prefix}_${suffix}`;
}

/**
 * The UUID behind an id, in lower case, as PostgreSQL takes it. With `prefix` the id must have it.
 * @throws InvalidIdError if the id is not canonical or has another prefix.
 */
export function toUuid(id: string, prefix?: IdPrefix): string {
  const underscore = id.length - suffixLength - 1;
  if (!isSuffixAt(id, underscore) || (prefix !== undefined && !hasPrefix(id, prefix, underscore))) {
    throw new InvalidIdError(prefix === undefined ? "Not an id." : `Not an id like ${prefix}_….`);
  }
  const start = underscore + 1;
  const first = (digitAt(id, start) << 5) | digitAt(id, start + 1);
  writeHex(0, first >> 4);
  writeHex(1, first);
  for (let at = 2, hex = 2; at < suffixLength; at += 4, hex += 5) {
    const bits =
      (digitAt(id, start + at) << 15) |
      (digitAt(id, start + at + 1) << 10) |
      (digitAt(id, start + at + 2) << 5) |
      digitAt(id, start + at + 3);
    writeHex(hex, bits >> 16);
    writeHex(hex + 1, bits >> 12);
    writeHex(hex + 2, bits >> 8);
    writeHex(hex + 3, bits >> 4);
    writeHex(hex + 4, bits);
  }
  return uuidBuffer.toString("latin1");
}

/** Whether a text is an id of that kind in its one canonical form: lower case, first digit at most 7. */
export function isId(prefix: IdPrefix, text: string): boolean {
  const underscore = text.length - suffixLength - 1;
  return hasPrefix(text, prefix, underscore) && isSuffixAt(text, underscore);
}

function hasPrefix(text: string, prefix: string, underscore: number): boolean {
  return underscore === prefix.length && text.startsWith(prefix);
}

function isSuffixAt(text: string, underscore: number): boolean {
  if (underscore < 1 || text.charCodeAt(underscore) !== 95) return false;
  if (digitAt(text, underscore + 1) > 7) return false;
  for (let at = underscore + 2; at < text.length; at += 1) {
    if (digitAt(text, at) > 31) return false;
  }
  return true;
}

function hasUuidHyphens(uuid: string): boolean {
  return (
    uuid.charCodeAt(8) === 45 &&
    uuid.charCodeAt(13) === 45 &&
    uuid.charCodeAt(18) === 45 &&
    uuid.charCodeAt(23) === 45
  );
}

function pairsOf(bits: number): string {
  return (digitPairs[bits >> 10] ?? "") + (digitPairs[bits & 1023] ?? "");
}

function digitAt(text: string, at: number): number {
  return digitValues[text.charCodeAt(at)] ?? 255;
}

function hexAt(uuid: string, digit: number): number {
  return hexValues[uuid.charCodeAt(uuidPositions[digit] ?? 0)] ?? 255;
}

function writeHex(digit: number, bits: number): void {
  uuidBuffer[uuidPositions[digit] ?? 0] = hexCodes[bits & 15] ?? 48;
}
