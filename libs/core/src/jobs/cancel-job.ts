import { job, jobIdInput, VaultError } from "@cardvault/contract";
import type { Job, Role } from "@cardvault/contract";
import { changeJob, readJob } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { jobAnswer } from "./job-answer.ts";

/** Who may begin such a job is who may end it. */
function isOwnersOnly(kind: string): boolean {
  return kind.startsWith("webhook.");
}

/**
 * Asks a job to end. It does between two chunks, and keeps what was committed.
 * @throws VaultError `not_found`; `not_permitted`; `invalid_transition` for one that has ended.
 */
async function cancelJob(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId, role }: { accountId: string; role: Role },
  id: string,
): Promise<Job> {
  return db.transaction(async (tx) => {
    const found = isId("job", id) ? await readJob(tx, id) : undefined;
    if (found?.accountId !== accountId) throw new VaultError("not_found");
    if (isOwnersOnly(found.kind) && role !== "owner") throw new VaultError("not_permitted");
    const now = clock.now();
    return jobAnswer(
      await changeJob(tx, { jobId: id, accountId, command: { type: "cancel" }, now }),
    );
  });
}

export const cancelJobProcedure = session()
  .input(jobIdInput)
  .output(job)
  .mutation(({ ctx, input }) => cancelJob(ctx.services, ctx.principal, input.id));
