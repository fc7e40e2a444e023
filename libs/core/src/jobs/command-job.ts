import { VaultError } from "@cardvault/contract";
import { changeJob, readJob, workChannel } from "@cardvault/db";
import type { JobRow, Transaction } from "@cardvault/db";
import type { JobCommand } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import { settleBatch } from "../bulk/settle-batches.ts";
import type { Services } from "../services.ts";

/**
 * What a person asks of a job, in one transaction with what `before` checks and writes; a batch on whose
 * cards nothing works any more opens again.
 * @throws VaultError `not_found`; `invalid_transition`; and what `before` throws
 */
export async function commandJob(
  { db, clock }: Pick<Services, "db" | "clock">,
  id: string,
  command: JobCommand,
  before: (tx: Transaction, found: JobRow) => void | Promise<void>,
): Promise<JobRow> {
  const now = clock.now();
  const job = await db.transaction(async (tx): Promise<JobRow> => {
    const found = isId("job", id) ? await readJob(tx, id) : undefined;
    if (found === undefined) throw new VaultError("not_found");
    await before(tx, found);
    tx.afterCommit(() => db.notify(workChannel));
    return changeJob(tx, { jobId: id, command, now });
  });
  if (job.finishedAt !== null && job.batchId !== null && job.accountId !== null) {
    await settleBatch({ db, clock }, { accountId: job.accountId, batchId: job.batchId });
  }
  return job;
}
