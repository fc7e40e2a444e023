/** One value of a list and where the next one may begin, in bytes from the file's start. */
export interface JsonItem {
  readonly text: string;
  readonly endByte: number;
}

/** The longest card of a list; what is longer is not a card. */
const maxItemBytes = 4 * 1_024 * 1_024;

const quote = 0x22;
const backslash = 0x5c;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);

/** A list that cannot be read on: too long a card, or an end in the middle of one. */
export class ListFormatError extends Error {
  override readonly name = "ListFormatError";
}

/**
 * Takes the objects out of a stream of JSON: the members of one array, or one object a line. Whole
 * lists have half a gigabyte, so it holds one object at a time; and it knows each one's place in the
 * file, by which an import that was interrupted goes on, which JSON streaming libraries do not tell.
 * @param fromByte Where the stream begins in the file: after an object, or at 0.
 * @throws ListFormatError
 */
export async function* splitJsonObjects(
  chunks: AsyncIterable<Uint8Array>,
  fromByte = 0,
): AsyncGenerator<JsonItem> {
  let offset = fromByte;
  /** Within the outer array depth counts from 0: what is at depth 0 is between objects. */
  let depth = 0;
  let inString = false;
  let escaped = false;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = depth > 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
        continue;
      }
      if (byte === quote) {
        inString = depth > 0;
      } else if (openers.has(byte)) {
        // The array around all is no item: an item is an object.
        if (depth === 0 && byte === 0x5b) continue;
        if (depth === 0) start = at;
        depth += 1;
      } else if (closers.has(byte) && depth > 0) {
        depth -= 1;
        if (depth > 0) continue;
        const text = Buffer.concat([...pending, chunk.subarray(start, at + 1)]).toString("utf8");
        pending = [];
        pendingBytes = 0;
        start = -1;
        yield { text, endByte: offset + at + 1 };
      }
    }
    if (start >= 0) {
      const rest = chunk.slice(start);
      pending.push(rest);
      pendingBytes += rest.length;
      if (pendingBytes > maxItemBytes) throw new ListFormatError("A card of the list is too long.");
    }
    offset += chunk.length;
  }
  if (depth > 0) throw new ListFormatError("The list ends in the middle of a card.");
}
