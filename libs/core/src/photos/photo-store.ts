import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import type { PhotoSize } from "./photo-urls.ts";

/** Where derived pictures (WebP) lie, by photo and size. */
export interface PhotoStore {
  put(photoId: string, size: PhotoSize, webp: Uint8Array): Promise<void>;
  /** Null where there is no such picture. */
  get(photoId: string, size: PhotoSize): Promise<Buffer | null>;
}

const photoIdPattern = /^img_[0-9a-z]{26}$/;

/** Pictures as files under one folder, spread by the last two characters of the id. */
export function createDiskPhotoStore(folder: string): PhotoStore {
  function fileOf(photoId: string, size: PhotoSize): string | null {
    // The id comes from an address: nothing but an id may become a path.
    if (!photoIdPattern.test(photoId)) return null;
    return join(folder, photoId.slice(-2), `${photoId}.${size}.webp`);
  }
  return {
    async put(photoId, size, webp) {
      const file = fileOf(photoId, size);
      if (file === null) throw new TypeError("Not the id of a photo");
      await mkdir(dirname(file), { recursive: true });
      // Renamed into place, so that nobody is served half a picture.
      const unfinished = `${file}.${randomUUID()}`;
      await writeFile(unfinished, webp);
      await rename(unfinished, file);
    },
    async get(photoId, size) {
      const file = fileOf(photoId, size);
      if (file === null) return null;
      try {
        return await readFile(file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },
  };
}
