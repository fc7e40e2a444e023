/** What the service takes: see the room of the photos. */
const maxBytes = 20_000_000;
const endings = /\.(jpe?g|png|webp|hei[cf])$/i;
const types = new Set(["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"]);
const maxNameLength = 255;

/** By which files are put in order: IMG_2 comes before IMG_10. */
const natural = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** A file's name with the folders that it was dropped with, which tell names apart. */
export function nameOf(file: File & { path?: string }): string {
  const path = file.webkitRelativePath !== "" ? file.webkitRelativePath : (file.path ?? file.name);
  return path.replace(/^(\.?\/)+/, "").slice(-maxNameLength) || "photo";
}

/** In the order in which a camera took them, whatever order they were dropped in. */
export function inOrder(files: readonly File[]): File[] {
  return files
    .map((file) => ({ file, name: nameOf(file) }))
    .toSorted((left, right) => natural.compare(left.name, right.name))
    .map(({ file }) => file);
}

/** Files that a folder brings along and nobody meant. */
export function isNoise(file: File): boolean {
  return /^(\.|thumbs\.db$|desktop\.ini$)/i.test(file.name);
}

/** Why a file is no photo that can be sent; null where it is one. */
export function refusalOf(file: File): string | null {
  if (!types.has(file.type) && !endings.test(file.name)) {
    return "No photo: JPEG, PNG, WebP and HEIC can be imported";
  }
  if (file.size > maxBytes) return `Larger than ${maxBytes / 1_000_000} MB`;
  return file.size === 0 ? "The file is empty" : null;
}

/** Browsers make hashes over HTTPS and on this machine only. */
export const canHash: boolean = globalThis.isSecureContext;

/** SHA-256 in hexadecimal. @throws where the file cannot be read any more */
export async function sha256Of(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
