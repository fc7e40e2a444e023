import { createHash } from "node:crypto";
import { VaultError } from "@cardvault/contract";
import type { GuardedClient } from "@cardvault/kit";
import { maxPictureBytes, sniffFormat } from "@cardvault/photos";
import type { PictureProcessor, ProcessedPicture } from "@cardvault/photos";

/** A photo that a request named by its address. Nothing of it is stored. */
export interface FetchedPhoto {
  bytes: Buffer;
  /** SHA-256. */
  contentHash: Buffer;
  processed: ProcessedPicture;
}

const timeoutMs = 10_000;
/** So many bytes more than are taken tell that a file is too large. */
const maxResponseBytes = maxPictureBytes + 1;

/**
 * Fetches a photo from an address that a stranger chose, through the guarded client, and checks it as
 * an upload is checked. Redirects are not followed.
 * @throws VaultError `photo_unavailable` for an address that cannot be reached, that answers no picture
 * or a broken one; `service_unavailable` where too many pictures wait. Why an address was not reached
 * is in the cause, for the log: an answer would make a port scanner.
 */
export async function fetchPhoto(
  { client, pictures }: { client: GuardedClient; pictures: PictureProcessor },
  url: string,
  signal?: AbortSignal,
): Promise<FetchedPhoto> {
  const answer = await client.send({
    method: "GET",
    url,
    headers: { accept: "image/jpeg, image/png, image/webp, image/heic" },
    timeoutMs,
    maxResponseBytes,
    signal,
  });
  if (!answer.ok) throw unavailable("The photo could not be fetched.", answer.cause);
  if (answer.status !== 200) {
    throw unavailable("The address of the photo does not answer with a photo.");
  }
  const bytes = Buffer.from(answer.body);
  if (bytes.length > maxPictureBytes) {
    throw unavailable(`A photo may have ${maxPictureBytes / 1_000_000} MB.`);
  }
  if (answer.truncated) {
    throw unavailable("The photo could not be fetched whole.");
  }
  if (sniffFormat(bytes) === null) {
    throw unavailable("What the address answers is not a JPEG, PNG, WebP or HEIC picture.");
  }
  const processed = await pictures.process({ bytes });
  return { bytes, contentHash: createHash("sha256").update(bytes).digest(), processed };
}

function unavailable(message: string, cause?: unknown): VaultError {
  return new VaultError("photo_unavailable", { message, cause });
}
