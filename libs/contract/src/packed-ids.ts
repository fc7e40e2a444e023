/**
 * Ids of one kind as text that is short: 16 bytes each, all of them in one base64. A hundred thousand are
 * 2.1 MB so and 3.2 MB as a list of TypeIDs, and need no parsing before the first of them is looked at.
 */
export interface PackedIds {
  readonly length: number;
  /** The id at a place, from 0. */
  at(index: number): string;
  /** As many of them as there are from `start` up to and without `end`, packed again. */
  slice(start: number, end: number): string;
  /** The place of an id, or -1. */
  indexOf(id: string): number;
}

const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const suffixLength = 26;
const bytesPerId = 16;

/**
 * Opens packed ids without unpacking them.
 * @param prefix of the kind, `card`
 * @throws TypeError where the text is not base64 of whole ids
 */
export function openPackedIds(prefix: string, packed: string): PackedIds {
  const bytes = bytesOf(packed);
  const length = bytes.length / bytesPerId;
  return {
    length,
    at(index) {
      if (!(Number.isInteger(index) && index >= 0 && index < length)) {
        throw new RangeError(`There are ${length} ids and none at ${index}`);
      }
      return `${prefix}_${suffixOf(bytes, index * bytesPerId)}`;
    },
    slice(start, end) {
      const from = Math.max(0, start);
      return textOf(bytes.subarray(from * bytesPerId, Math.max(from, end) * bytesPerId));
    },
    indexOf(id) {
      const wanted = bytesOfId(prefix, id);
      if (wanted === undefined) return -1;
      for (let start = 0; start < bytes.length; start += bytesPerId) {
        if (wanted.every((byte, index) => bytes[start + index] === byte)) return start / bytesPerId;
      }
      return -1;
    },
  };
}

/**
 * Packs ids.
 * @throws TypeError where one is not a TypeID of the kind
 */
export function packIds(prefix: string, ids: readonly string[]): string {
  const bytes = new Uint8Array(ids.length * bytesPerId);
  for (const [index, id] of ids.entries()) {
    const one = bytesOfId(prefix, id);
    if (one === undefined) throw new TypeError(`Not an id like ${prefix}_…`);
    bytes.set(one, index * bytesPerId);
  }
  return textOf(bytes);
}

function bytesOf(packed: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(packed);
  } catch (error) {
    throw new TypeError("Packed ids are base64", { cause: error });
  }
  if (binary.length % bytesPerId !== 0) throw new TypeError("Packed ids are 16 bytes each");
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function textOf(bytes: Uint8Array): string {
  let binary = "";
  // In pieces: a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(binary);
}

/** 128 bits as 26 digits of five, the first two bits of which are zero. */
function suffixOf(bytes: Uint8Array, start: number): string {
  let suffix = "";
  for (let digit = 0; digit < suffixLength; digit += 1) {
    let value = 0;
    for (let bit = digit * 5 - 2; bit < digit * 5 + 3; bit += 1) {
      const byte = bit < 0 ? 0 : (bytes[start + (bit >> 3)] ?? 0);
      value = value * 2 + (bit < 0 ? 0 : (byte >> (7 - (bit & 7))) & 1);
    }
    suffix += digits.charAt(value);
  }
  return suffix;
}

function bytesOfId(prefix: string, id: string): Uint8Array | undefined {
  if (!id.startsWith(`${prefix}_`) || id.length !== prefix.length + 1 + suffixLength) {
    return undefined;
  }
  const bytes = new Uint8Array(bytesPerId);
  for (let digit = 0; digit < suffixLength; digit += 1) {
    const value = digits.indexOf(id.charAt(prefix.length + 1 + digit));
    if (value < 0 || (digit === 0 && value > 7)) return undefined;
    for (let bit = 0; bit < 5; bit += 1) {
      const at = digit * 5 - 2 + bit;
      if (at >= 0 && ((value >> (4 - bit)) & 1) === 1) {
        bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (7 - (at & 7)));
      }
    }
  }
  return bytes;
}
