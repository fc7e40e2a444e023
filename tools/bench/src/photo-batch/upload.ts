import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { PhotoImport, PhotoImportAnnounced, UploadAnswer } from "@cardvault/contract";
import type { BenchSession } from "../stack/session.ts";
import type { BatchPhoto } from "./pictures.ts";

/**
 * Photos into an import of a batch as the page does it: announced with their hashes, then each file by itself,
 * a few at once. Answers the import, which is not committed yet.
 * @throws Error where one of them is not taken
 */
export async function uploadPhotos(
  session: BenchSession,
  batchId: string,
  photos: readonly BatchPhoto[],
  lanes: number,
): Promise<string> {
  const { id } = await session.mutate<PhotoImport>("photoImports.create", {
    batch_id: batchId,
    pairing: "singles",
  });
  const files = [];
  for (const { name, path } of photos) {
    const bytes = await readFile(path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    files.push({ name, sha256, byte_size: bytes.length });
  }
  await session.mutate<PhotoImportAnnounced>("photoImports.announce", { id, files });
  const queue = [...photos];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const form = new FormData();
        form.append("file", new Blob([await readFile(next.path)]), next.name);
        const answer = await session.send<UploadAnswer>(`/photos?import=${id}`, form);
        const error = answer.files[0]?.error ?? null;
        if (error !== null) throw new Error(`${next.name}: ${error.code} ${error.message}`);
      }
    }),
  );
  return id;
}
