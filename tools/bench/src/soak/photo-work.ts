import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type {
  Batch,
  Job,
  PhotoImport,
  PhotoImportAnnounced,
  UploadAnswer,
} from "@cardvault/contract";
import type { BatchPhoto } from "../photo-batch/pictures.ts";
import type { BenchSession } from "../stack/session.ts";
import { runJob, until, untilJob } from "./dealer-work.ts";

/**
 * Photos of cards brought into a batch and identified by a job, as the page does it. Answers how many cards the
 * job has settled, one way or another.
 */
export async function bringPhotos(
  session: BenchSession,
  photos: readonly BatchPhoto[],
  turn: number,
): Promise<number> {
  const batch = await session.mutate<Batch>("batches.create", { name: `Photos ${turn}` });
  const begun = await session.mutate<PhotoImport>("photoImports.create", {
    batch_id: batch.id,
    pairing: "singles",
  });
  const files = [];
  for (const { name, path } of photos) {
    const bytes = await readFile(path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    files.push({ name, sha256, byte_size: bytes.length });
  }
  await session.mutate<PhotoImportAnnounced>("photoImports.announce", { id: begun.id, files });
  for (const { name, path } of photos) {
    const form = new FormData();
    form.append("file", new Blob([await readFile(path)]), name);
    const answer = await session.send<UploadAnswer>(`/photos?import=${begun.id}`, form);
    const error = answer.files[0]?.error ?? null;
    if (error !== null) throw new Error(`${name}: ${error.code} ${error.message}`);
  }
  const { id } = await session.mutate<Job>("photoImports.commit", { id: begun.id });
  await untilJob(session, id);
  await until(
    "the cards of the photos",
    () => session.query<Batch>("batches.get", { id: batch.id }),
    ({ status }) => status === "open",
  );
  const job = await runJob(session, "bulk.start", {
    selection: { filter: { batch: [batch.id] }, except: [] },
    action: { type: "identify" },
  });
  if (job.progress.done !== photos.length) {
    throw new Error(`${job.progress.done} of ${photos.length} photos were looked at`);
  }
  return job.progress.done;
}
