import { actorKinds } from "@cardvault/contract";
import type { ListingEndReason } from "@cardvault/contract";
import { enqueueJob, wantRevision, wantWithdrawal, workChannel } from "@cardvault/db";
import type { AccountUnit, Database, JobRow, Queryable, WantedRevision } from "@cardvault/db";
import * as z from "zod";
import type { Actor } from "../context.ts";

/** Work on the marketplace for one listing. Of each kind at most one job of a listing has something to do. */
export const listingJobKinds = ["publish_listing", "revise_listing", "withdraw_listing"] as const;
export type ListingJobKind = (typeof listingJobKinds)[number];

const payloadSchema = z.object({
  listingId: z.string(),
  actor: z.object({ kind: z.enum(actorKinds), id: z.string().nullable() }),
});

/** What such a job says: which listing, and who asked. All else stands beside the listing. */
export function readListingJob({ payload }: Pick<JobRow, "payload">) {
  return payloadSchema.parse(payload);
}

interface Place {
  tx: Queryable;
  accountId: string;
}

/** In the transaction that asks for it; after the commit the caller tells {@link workChannel}. */
export async function enqueueListingJob(
  { tx, accountId }: Place,
  kind: ListingJobKind,
  listingId: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  const payload = { listingId, actor };
  const createdBy = actor.id ?? undefined;
  await enqueueJob(tx, { kind, accountId, payload, createdBy, subjectId: listingId }, now);
}

type Unit = Pick<AccountUnit, "tx" | "accountId" | "stamp">;

/**
 * Adds to what a listing is to be given, in the change that asks for it. While it is publishing nothing is
 * sent: what is wanted follows as soon as it is live.
 */
export async function askForRevision(
  db: Database,
  unit: Unit,
  actor: Actor,
  { listingId, isPublishing }: { listingId: string; isPublishing: boolean },
  wanted: WantedRevision,
): Promise<void> {
  const isFirst = await wantRevision(unit.tx, unit.accountId, listingId, wanted);
  if (!isFirst || isPublishing) return;
  await enqueueListingJob(unit, "revise_listing", listingId, actor, unit.stamp);
  unit.tx.afterCommit(() => db.notify(workChannel));
}

/** Asks for a listing to be withdrawn; one that is publishing is, once its outcome is known. */
export async function askForWithdrawal(
  db: Database,
  unit: Unit,
  actor: Actor,
  { listingId, isPublishing }: { listingId: string; isPublishing: boolean },
  reason: ListingEndReason,
): Promise<void> {
  const isFirst = await wantWithdrawal(unit.tx, unit.accountId, listingId, reason);
  if (!isFirst || isPublishing) return;
  await enqueueListingJob(unit, "withdraw_listing", listingId, actor, unit.stamp);
  unit.tx.afterCommit(() => db.notify(workChannel));
}
