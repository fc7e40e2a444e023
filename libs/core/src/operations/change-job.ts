import { jobIdInput, operatorJobDetail } from "@cardvault/contract";
import type { OperatorJobDetail } from "@cardvault/contract";
import { commandJob } from "../jobs/command-job.ts";
import { operator } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";
import { getOperatorJob } from "./get-job.ts";

/**
 * Cancels or retries a job of any account. It stands in the account's trail that an operator did it.
 * @throws VaultError `not_found`; `invalid_transition` where its state does not allow it.
 */
async function changeEveryJob(
  services: Pick<Services, "db" | "clock">,
  userId: string,
  id: string,
  type: "cancel" | "retry",
): Promise<OperatorJobDetail> {
  const actor = { kind: "operator", id: userId } as const;
  await commandJob(services, id, { type }, async (tx, { accountId, kind }) => {
    if (accountId === null) return;
    const action = type === "cancel" ? "job.cancelled" : "job.retried";
    await writeTrail(tx, { accountId, actor }, services.clock.now(), action, id, { kind });
  });
  return getOperatorJob(services.db, id);
}

export const cancelEveryJobProcedure = operator
  .input(jobIdInput)
  .output(operatorJobDetail)
  .mutation(({ ctx, input }) =>
    changeEveryJob(ctx.services, ctx.principal.userId, input.id, "cancel"),
  );

export const retryEveryJobProcedure = operator
  .input(jobIdInput)
  .output(operatorJobDetail)
  .mutation(({ ctx, input }) =>
    changeEveryJob(ctx.services, ctx.principal.userId, input.id, "retry"),
  );
