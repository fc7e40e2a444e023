import { job, jobIdInput, VaultError } from "@cardvault/contract";
import type { Job } from "@cardvault/contract";
import { readJob } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import { session } from "../procedures.ts";
import { jobAnswers } from "./job-answer.ts";

/** @throws VaultError `not_found` for an id that is unknown, malformed or of another account. */
async function getJob(db: Database, accountId: string, id: string): Promise<Job> {
  const row = isId("job", id) ? await readJob(db, id) : undefined;
  if (row?.accountId !== accountId) throw new VaultError("not_found");
  const [answer] = await jobAnswers(db, [row]);
  if (answer === undefined) throw new VaultError("internal_error");
  return answer;
}

export const getJobProcedure = session()
  .input(jobIdInput)
  .output(job)
  .query(({ ctx, input }) => getJob(ctx.services.db, ctx.access.accountId, input.id));
