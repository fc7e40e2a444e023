import type { Batch, Job } from "@cardvault/contract";
import type { BatchPhoto } from "../photo-batch/pictures.ts";
import { uploadPhotos } from "../photo-batch/upload.ts";
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
  const importId = await uploadPhotos(session, batch.id, photos, 1);
  const { id } = await session.mutate<Job>("photoImports.commit", { id: importId });
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
