import { VaultError } from "@cardvault/contract";
import type { Job, Role } from "@cardvault/contract";
import { changeJob, readJob, workChannel } from "@cardvault/db";
import type { JobRow } from "@cardvault/db";
import type { JobCommand } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import { settleBatch } from "../bulk/settle-batches.ts";
import type { Services } from "../services.ts";
import { jobAnswer } from "./job-answer.ts";

/** Who may begin such a job is who may end it. */
function isOwnersOnly(kind: string): boolean {
  return kind.startsWith("webhook.");
}

/**
 * What a person asks of a job: it is cancelled or paused between two chunks and keeps what was committed,
 * goes on, or, once it has failed, is tried again.
 * @throws VaultError `not_found`; `not_permitted`; `invalid_transition` where its state does not allow it.
 */
export async function changeOwnJob(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId, role }: { accountId: string; role: Role },
  id: string,
  command: JobCommand,
): Promise<Job> {
  const now = clock.now();
  const job = await db.transaction(async (tx): Promise<JobRow> => {
    const found = isId("job", id) ? await readJob(tx, id) : undefined;
    if (found?.accountId !== accountId) throw new VaultError("not_found");
    if (isOwnersOnly(found.kind) && role !== "owner") throw new VaultError("not_permitted");
    tx.afterCommit(() => db.notify(workChannel));
    return changeJob(tx, { jobId: id, accountId, command, now });
  });
  if (job.finishedAt !== null && job.batchId !== null) {
    await settleBatch({ db, clock }, { accountId, batchId: job.batchId });
  }
  return jobAnswer(job);
}
