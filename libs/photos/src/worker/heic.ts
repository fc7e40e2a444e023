import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Raw } from "./raw.ts";

interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary?(): boolean;
  display(
    target: { data: Uint8ClampedArray; width: number; height: number },
    done: (shown: { data: Uint8ClampedArray } | null) => void,
  ): void;
  free(): void;
}
interface LibHeif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}
type MakeLibHeif = (options: { wasmBinary: Uint8Array }) => LibHeif;

const require = createRequire(import.meta.url);
let library: LibHeif | undefined;

function loaded(): LibHeif {
  if (library === undefined) {
    // The package's own loader looks for the binary in the working directory.
    const make = require("libheif-js/libheif-wasm/libheif.js") as MakeLibHeif;
    const binary = require.resolve("libheif-js/libheif-wasm/libheif.wasm");
    library = make({ wasmBinary: readFileSync(binary) });
  }
  return library;
}

/** Says no more than that it cannot be decoded: the library's texts are for nobody. */
export class HeicError extends Error {
  override readonly name = "HeicError";
}

export interface OpenHeic {
  width: number;
  height: number;
  /** Decodes the picture, turned as it is to be shown. */
  pixels(): Promise<Raw>;
  close(): void;
}

/**
 * Reads the head of an HEIC file: its primary picture's size is known before a pixel is decoded.
 * @throws HeicError
 */
export function openHeic(bytes: Uint8Array): OpenHeic {
  let images: HeifImage[];
  try {
    const { HeifDecoder } = loaded();
    images = quietly(() => new HeifDecoder().decode(bytes));
  } catch (cause) {
    throw broken(cause);
  }
  const image = images.find((one) => one.is_primary?.() === true) ?? images[0];
  for (const other of images) if (other !== image) other.free();
  if (image === undefined) throw new HeicError("The file has no picture");
  const [width, height] = [image.get_width(), image.get_height()];
  return {
    width,
    height,
    async pixels() {
      try {
        const data = new Uint8ClampedArray(width * height * 4);
        await new Promise<void>((resolve, reject) => {
          image.display({ data, width, height }, (shown) =>
            shown === null ? reject(new HeicError("The picture is broken")) : resolve(),
          );
        });
        return { data: new Uint8Array(data.buffer), width, height, channels: 4 };
      } catch (cause) {
        throw cause instanceof HeicError ? cause : broken(cause);
      }
    },
    close: () => image.free(),
  };
}

/** The library tells the console what is wrong with a stranger's file. */
function quietly<T>(work: () => T): T {
  const loud = globalThis.console;
  globalThis.console = { ...loud, log: () => undefined };
  try {
    return work();
  } finally {
    globalThis.console = loud;
  }
}

/** After a fault inside the WASM module its memory is not to be trusted: the next file gets a new one. */
function broken(cause: unknown): HeicError {
  library = undefined;
  return new HeicError("The file cannot be decoded", { cause });
}
