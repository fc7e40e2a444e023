/** The encodings that spreadsheets and the tools of the trade write. */
const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];

const sampleBytes = 64 * 1024;

/**
 * Learns the encoding of a file while its bytes go by: by its mark, else by where its zero bytes
 * stand, else by whether all of it is UTF-8. What is none of these is taken for Windows-1252, in
 * which every sequence of bytes is a text.
 */
export class EncodingDetector {
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  #isUtf8 = true;
  #seen = 0;
  readonly #head: number[] = [];
  readonly #zeros = { even: 0, odd: 0 };

  push(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length && this.#seen + index < sampleBytes; index += 1) {
      const byte = bytes[index] ?? 0;
      if (this.#seen + index < 3) this.#head.push(byte);
      if (byte === 0) this.#zeros[(this.#seen + index) % 2 === 0 ? "even" : "odd"] += 1;
    }
    this.#seen += bytes.length;
    this.#checkUtf8(() => this.#utf8.decode(bytes, { stream: true }));
  }

  /** Call it once, after the last bytes. */
  end(): Encoding {
    this.#checkUtf8(() => this.#utf8.decode());
    const [first, second] = this.#head;
    if (first === 0xff && second === 0xfe) return "utf-16le";
    if (first === 0xfe && second === 0xff) return "utf-16be";
    const pairs = Math.min(this.#seen, sampleBytes) / 2;
    // Latin letters have one zero byte in each pair of UTF-16, always at the same place.
    if (this.#zeros.odd > pairs * 0.4 && this.#zeros.even < pairs * 0.05) return "utf-16le";
    if (this.#zeros.even > pairs * 0.4 && this.#zeros.odd < pairs * 0.05) return "utf-16be";
    return this.#isUtf8 ? "utf-8" : "windows-1252";
  }

  #checkUtf8(decode: () => string): void {
    if (!this.#isUtf8) return;
    try {
      decode();
    } catch {
      this.#isUtf8 = false;
    }
  }
}

const marks: Readonly<Record<Encoding, readonly number[]>> = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
  "windows-1252": [],
};

/** How many bytes of the head are the byte order mark. */
export function markLength(encoding: Encoding, head: Uint8Array): number {
  const mark = marks[encoding];
  return mark.every((byte, index) => head[index] === byte) ? mark.length : 0;
}

/** A decoder for bytes that begin at the beginning of a character, behind the mark. */
export function createDecoder(encoding: Encoding): TextDecoder {
  return new TextDecoder(encoding, { ignoreBOM: true });
}

/** How many bytes of the file a text is that was read from it. */
export function byteLength(text: string, encoding: Encoding): number {
  if (encoding === "utf-8") return Buffer.byteLength(text);
  return encoding === "windows-1252" ? text.length : text.length * 2;
}
