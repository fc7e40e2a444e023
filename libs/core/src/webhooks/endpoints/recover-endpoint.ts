import { endpointRecoverInput, job, VaultError } from "@cardvault/contract";
import type { Job, RecoverScope } from "@cardvault/contract";
import {
  enqueueJob,
  readEndpointStandings,
  readJob,
  readStampTime,
  workChannel,
} from "@cardvault/db";
import type { Access } from "../../context.ts";
import { jobAnswer } from "../../jobs/job-answer.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";
import { recoverKind } from "../../work/recover.ts";
import type { RecoverPayload } from "../../work/recover.ts";
import { requireEndpoint } from "./endpoint-answer.ts";

/**
 * Begins to send an endpoint's events since a moment again, as a background job.
 * @throws VaultError `not_found`; `conflict` where the endpoint is disabled, or is being recovered.
 */
export async function recoverEndpoint(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  input: { id: string; since: string; include: RecoverScope },
): Promise<Job> {
  const { accountId, actor } = access;
  return db.transaction(async (tx) => {
    const endpoint = await requireEndpoint(tx, accountId, input.id);
    if (!endpoint.enabled) {
      throw new VaultError("conflict", { message: "The endpoint is disabled." });
    }
    const standings = await readEndpointStandings(tx, accountId);
    const running = standings.find((one) => one.endpoint_id === endpoint.id)?.recovery_job_id;
    if (running != null) {
      throw new VaultError("conflict", {
        message: `The endpoint is being recovered by ${running}.`,
      });
    }
    const now = clock.now();
    const payload: RecoverPayload = {
      endpoint_id: endpoint.id,
      since: new Date(input.since).toISOString(),
      until: (await readStampTime(tx)).toISOString(),
      include: input.include,
    };
    const jobRow = { kind: recoverKind, accountId, payload, subjectId: endpoint.id };
    const createdBy = actor.id ?? undefined;
    const id = await enqueueJob(tx, { ...jobRow, createdBy }, now);
    const { since, include } = input;
    const details = { job: id, since, include };
    await writeTrail(tx, access, now, "endpoint.recovery_started", endpoint.id, details);
    tx.afterCommit(() => db.notify(workChannel));
    const made = await readJob(tx, id);
    if (made === undefined) throw new VaultError("internal_error");
    return jobAnswer(made);
  });
}

export const recoverEndpointProcedure = session("owner")
  .input(endpointRecoverInput)
  .output(job)
  .mutation(({ ctx, input }) => recoverEndpoint(ctx.services, ctx.access, input));
