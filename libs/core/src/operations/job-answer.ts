import type { OperatorJob } from "@cardvault/contract";
import type { OperatorJobRow } from "@cardvault/db";
import { jobAnswer } from "../jobs/job-answer.ts";

/** What an operator sees of a job: as its account does, and how its claims stand. Never its payload; undone it is by its account. */
export function operatorJobAnswer(row: OperatorJobRow): OperatorJob {
  const { can_undo: _, created_by: __, ...seen } = jobAnswer(row);
  return {
    ...seen,
    account: row.account,
    claims: row.claims,
    next_run_at: row.finishedAt === null ? (row.nextRunAt?.toISOString() ?? null) : null,
    leased_until: row.leaseUntil?.toISOString() ?? null,
  };
}
