import { createHash } from "node:crypto";
import { VaultError } from "@cardvault/contract";
import type { Job } from "@cardvault/contract";
import {
  changeAccount,
  enqueueJob,
  findJobByKey,
  insertJobItems,
  readAccountStamp,
  readJob,
  readSelectedIds,
  workChannel,
} from "@cardvault/db";
import type { JobRow, NewJobRow, Queryable } from "@cardvault/db";
import { decideBatch } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { jobAnswer } from "../jobs/job-answer.ts";
import type { Services } from "../services.ts";
import { newBulkProgress } from "./bulk-job.ts";
import type { BulkPayload } from "./bulk-job.ts";

/** A job over many cards, as it is asked for. */
export interface BulkOrder {
  kind: string;
  work: BulkPayload["work"];
  selection: NonNullable<BulkPayload["selection"]>;
  /** On whose cards it works, where that is one batch: it is processing meanwhile. */
  batch?: { id: string; changesMembership: boolean } | undefined;
  subjectId?: string | undefined;
  idempotencyKey?: string | undefined;
  /** What is written in the same commit as the job. */
  also?: ((tx: Queryable, now: Date, jobId: string) => Promise<void>) | undefined;
}

type Needs = Pick<Services, "db" | "clock">;

/**
 * Writes the job down, and nothing else but the cards that are named one by one: a filter's are selected by
 * the worker. A job that works on one batch's cards turns it processing in the same commit.
 * @throws VaultError `batch_not_found`; `batch_complete` where membership would change;
 * `idempotency_key_reused`
 */
export async function startBulkJob(needs: Needs, access: Access, order: BulkOrder): Promise<Job> {
  const digest = digestOf(order);
  const known = await knownJob(needs, access, order, digest);
  if (known !== undefined) return jobAnswer(known);
  try {
    return jobAnswer(await writeJob(needs, access, order, digest));
  } catch (error) {
    // The same request a moment earlier.
    if (!(error instanceof VaultError) || error.code !== "conflict") throw error;
    const first = await knownJob(needs, access, order, digest);
    if (first === undefined) throw error;
    return jobAnswer(first);
  }
}

async function knownJob(
  { db }: Needs,
  { accountId }: Access,
  { idempotencyKey }: BulkOrder,
  digest: string,
): Promise<JobRow | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const job = await findJobByKey(db, accountId, idempotencyKey);
  if (job === undefined) return undefined;
  const isSame = (job.payload as { digest?: unknown }).digest === digest;
  if (!isSame) throw new VaultError("idempotency_key_reused");
  return job;
}

function digestOf({ kind, work, selection }: BulkOrder): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, work, selection]))
    .digest("base64url");
}

async function writeJob(
  { db, clock }: Needs,
  access: Access,
  order: BulkOrder,
  digest: string,
): Promise<JobRow> {
  const { accountId } = access;
  const { batch } = order;
  const now = clock.now();
  if (batch === undefined) {
    return db.transaction(async (tx) => {
      const job = await insertJob(tx, access, order, digest, now);
      tx.afterCommit(() => db.notify(workChannel));
      return job;
    });
  }
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const before = await unit.batches.get(batch.id);
    const kind = batch.changesMembership ? "membership" : "cards";
    unit.batches.save(decideBatch(before, { type: "job_started", kind }, unit.stamp).state);
    await unit.tx.em.flush();
    const job = await insertJob(unit.tx, access, order, digest, now);
    unit.tx.afterCommit(() => db.notify(workChannel));
    return job;
  });
}

async function insertJob(
  tx: Queryable,
  { accountId, actor }: Access,
  order: BulkOrder,
  digest: string,
  now: Date,
): Promise<JobRow> {
  const { kind, work, batch, idempotencyKey } = order;
  const selection = await boundSelection(tx, accountId, order.selection);
  const named = "ids" in selection ? await namedCards(tx, accountId, selection) : null;
  const payload: BulkPayload = {
    actor,
    selection: named === null ? selection : null,
    work,
    digest,
  };
  const row: NewJobRow = {
    kind,
    accountId,
    payload,
    createdBy: actor.id ?? undefined,
    subjectId: order.subjectId ?? batch?.id,
    batchId: batch?.id,
    changesMembership: batch?.changesMembership,
    idempotencyKey,
    progress: newBulkProgress(named === null ? null : named.length),
  };
  const id = await enqueueJob(tx, row, now);
  if (named !== null) await insertJobItems(tx, accountId, id, named);
  await order.also?.(tx, now, id);
  const job = await readJob(tx, id);
  if (job === undefined) throw new VaultError("internal_error");
  return job;
}

function namedCards(
  tx: Queryable,
  accountId: string,
  selection: Extract<BulkOrder["selection"], { ids: unknown }>,
): Promise<string[]> {
  return readSelectedIds(tx, accountId, selection, { limit: selection.ids.length });
}

/** What a filter lets through is decided later, by the worker: a card that is made until then is not meant. */
async function boundSelection(
  tx: Queryable,
  accountId: string,
  selection: BulkOrder["selection"],
): Promise<BulkOrder["selection"]> {
  if (!("filter" in selection)) return selection;
  const { filter } = selection;
  const stamp = await readAccountStamp(tx, accountId);
  const end = stamp.getTime() + 1;
  const wanted = filter.created_until === undefined ? end : Date.parse(filter.created_until);
  const created_until = new Date(Math.min(end, wanted)).toISOString();
  return { ...selection, filter: { ...filter, created_until } };
}
