import { job, redeliverDroppedInput, VaultError } from "@cardvault/contract";
import type { Job, RedeliverDropped } from "@cardvault/contract";
import {
  countDropped,
  enqueueJob,
  findDroppedPlaces,
  readJob,
  readStampTime,
  workChannel,
} from "@cardvault/db";
import type { Queryable } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { jobAnswer } from "../jobs/job-answer.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { requireEndpoint } from "../webhooks/endpoints/endpoint-answer.ts";
import { newRedeliverProgress, redeliverKind } from "../work/redeliver.ts";
import type { RedeliverPayload } from "../work/redeliver.ts";

/**
 * Begins to send dropped deliveries again, as one background job: those of an endpoint up to now, or those named.
 * @throws VaultError `not_found` for an endpoint that there is not, and where none of the named is dropped; `conflict`
 * where the endpoint is disabled
 */
async function redeliverDropped(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId, actor }: Access,
  input: RedeliverDropped,
): Promise<Job> {
  return db.transaction(async (tx) => {
    const { payload, total } = await meant(tx, accountId, input);
    const id = await enqueueJob(
      tx,
      {
        kind: redeliverKind,
        accountId,
        payload,
        progress: newRedeliverProgress(total),
        subjectId: input.endpoint_id,
        createdBy: actor.id ?? undefined,
      },
      clock.now(),
    );
    tx.afterCommit(() => db.notify(workChannel));
    const made = await readJob(tx, id);
    if (made === undefined) throw new VaultError("internal_error");
    return jobAnswer(made);
  });
}

async function meant(
  tx: Queryable,
  accountId: string,
  { delivery_ids: named, endpoint_id: endpointId = "" }: RedeliverDropped,
): Promise<{ payload: RedeliverPayload; total: number }> {
  if (named !== undefined) {
    const ids = [...new Set(named)].filter((id) => isId("dlv", id));
    const places = await findDroppedPlaces(tx, accountId, ids);
    if (places.length === 0) throw new VaultError("not_found");
    return { payload: { delivery_ids: places.map(({ id }) => id) }, total: places.length };
  }
  const endpoint = await requireEndpoint(tx, accountId, endpointId);
  if (!endpoint.enabled) throw new VaultError("conflict", { message: "The endpoint is disabled." });
  const until = (await readStampTime(tx)).toISOString();
  const total = await countDropped(tx, accountId, endpointId);
  return { payload: { endpoint_id: endpointId, until }, total };
}

export const redeliverDroppedProcedure = session()
  .input(redeliverDroppedInput)
  .output(job)
  .mutation(({ ctx, input }) => redeliverDropped(ctx.services, ctx.access, input));
