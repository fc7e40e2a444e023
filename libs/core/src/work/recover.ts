import { recoverScopes } from "@cardvault/contract";
import type { RecoverScope } from "@cardvault/contract";
import {
  countEvents,
  findEndpoint,
  findMissing,
  lockLatestGenerations,
  lockReceiver,
  workChannel,
  writeResends,
} from "@cardvault/db";
import type { Database, MissingRow } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import * as z from "zod";
import { planResends } from "../events/plan-resends.ts";
import type { WorkContext, WorkHandler, WorkOutcome } from "./handler.ts";

export const recoverKind = "webhook.recover";

const payloadSchema = z.object({
  endpoint_id: z.string(),
  since: z.string(),
  /** When it was asked for: later events have deliveries of their own. */
  until: z.string(),
  include: z.enum(recoverScopes),
});
export type RecoverPayload = z.output<typeof payloadSchema>;

/** What the account sees, and beside it where the next chunk begins. */
const progressSchema = z.object({
  total: z.int(),
  done: z.int(),
  changed: z.int(),
  skipped: z.int(),
  after: z.object({ at: z.string(), event_id: z.string().nullable() }),
});
type Progress = z.output<typeof progressSchema>;

/** Events that a chunk looks at, and the most of them that it sends again. */
const lookAt = 2_000;
const mostResends = 200;
const mostCounted = 1_000_000;

interface Needs {
  db: Database;
  clock: Clock;
}

/**
 * Sends an endpoint's events since a moment again, a bounded number in each transaction. A chunk that was
 * committed is not repeated, whatever kills the worker.
 */
export function recoverHandler(needs: Needs): WorkHandler {
  return { run: (context) => runChunk(needs, context) };
}

async function runChunk({ db, clock }: Needs, { job, saveProgress }: WorkContext) {
  const payload = payloadSchema.parse(job.payload);
  const place = { accountId: job.accountId ?? "", endpointId: payload.endpoint_id };
  const endpoint = await findEndpoint(db, place.accountId, place.endpointId);
  if (endpoint === null) return cannotReceive(true);
  const progress = await progressOf(db, job.progress, place.accountId, payload);
  const found = await findMissing(db, {
    ...place,
    events: endpoint.events,
    after: { at: new Date(progress.after.at), eventId: progress.after.event_id },
    until: new Date(payload.until),
    lookAt,
    limit: mostResends,
  });
  const eventIds = found.rows
    .filter((row) => isWanted(row, payload.include))
    .map(({ eventId }) => eventId);
  return db.transaction(async (tx): Promise<WorkOutcome> => {
    const receiver = await lockReceiver(tx, place.accountId, place.endpointId);
    if (receiver?.isEnabled !== true || receiver.isRemoved) {
      return cannotReceive(receiver?.isRemoved !== false);
    }
    const latest = await lockLatestGenerations(tx, place, eventIds);
    // Delivered since it was found.
    const missing = eventIds.filter((id) => latest.get(id)?.status !== "delivered");
    const plan = planResends(receiver, missing, latest, clock.now());
    await writeResends(tx, place, plan.resends);
    const { next } = found;
    const done = progress.done + found.looked;
    const saved: Progress = {
      total: next === null ? done : Math.max(progress.total, done),
      done,
      changed: progress.changed + plan.resends.length,
      skipped: progress.skipped + plan.refused.length,
      after:
        next === null
          ? { at: payload.until, event_id: null }
          : { at: next.at.toISOString(), event_id: next.eventId },
    };
    await saveProgress(tx, saved);
    tx.afterCommit(() => db.notify(workChannel));
    return { type: next === null ? "done" : "chunk", progress: saved };
  });
}

async function progressOf(
  db: Database,
  stored: unknown,
  accountId: string,
  { since, until }: RecoverPayload,
): Promise<Progress> {
  const saved = progressSchema.safeParse(stored);
  if (saved.success) return saved.data;
  const total = await countEvents(db, accountId, new Date(since), new Date(until), mostCounted);
  return { total, done: 0, changed: 0, skipped: 0, after: { at: since, event_id: null } };
}

/** What a recovery sends: what waits for its first attempt needs none. */
function isWanted({ delivery }: MissingRow, include: RecoverScope): boolean {
  if (delivery === null || delivery.status === "cancelled") return include === "missing";
  if (delivery.status === "dropped") return include === "missing" || !delivery.isDismissed;
  return delivery.attempts > 0;
}

function cannotReceive(isRemoved: boolean): WorkOutcome {
  return isRemoved
    ? { type: "failed", reason: "endpoint_removed", message: "The endpoint has been removed." }
    : { type: "failed", reason: "endpoint_disabled", message: "The endpoint is disabled." };
}
