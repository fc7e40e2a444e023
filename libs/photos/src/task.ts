import type { PictureFormat } from "./formats.ts";
import type { PictureSize } from "./limits.ts";

/** A file of a picture: on disk, or in memory. */
export type PictureTask =
  | { readonly path: string }
  | { readonly path?: undefined; readonly bytes: Uint8Array };

/** Why a file is not taken. */
export type PictureProblem =
  | "unsupported"
  | "animated"
  | "unreadable"
  | "too_many_bytes"
  | "too_many_pixels"
  | "too_small"
  | "took_too_long";

export interface ProcessedPicture {
  format: PictureFormat;
  /** Pixels of the original, as it is shown. */
  width: number;
  height: number;
  /** 256 bits of the whole picture, for near duplicates. */
  perceptualHash: Uint8Array;
  /** WebP, upright, in sRGB, without metadata. */
  files: Record<PictureSize, Uint8Array>;
}

export type WorkerAnswer =
  | ({ ok: true } & ProcessedPicture)
  | { ok: false; problem: PictureProblem };
