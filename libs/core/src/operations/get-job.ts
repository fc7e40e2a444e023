import { jobIdInput, operatorJobDetail, VaultError } from "@cardvault/contract";
import type { OperatorJobDetail } from "@cardvault/contract";
import { readOperatorJob } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import { operator } from "../procedures.ts";
import { operatorJobAnswer } from "./job-answer.ts";

/** @throws VaultError `not_found` */
export async function getOperatorJob(db: Database, id: string): Promise<OperatorJobDetail> {
  const found = isId("job", id) ? await readOperatorJob(db, id) : undefined;
  if (found === undefined) throw new VaultError("not_found");
  return { ...found, job: operatorJobAnswer(found.job) };
}

export const getOperatorJobProcedure = operator
  .input(jobIdInput)
  .output(operatorJobDetail)
  .query(({ ctx, input }) => getOperatorJob(ctx.services.db, input.id));
