import {
  findDroppedPlaces,
  lockLatestGenerations,
  lockReceiver,
  readNextDropped,
  workChannel,
  writeResends,
} from "@cardvault/db";
import type { Database, DroppedPlace } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import * as z from "zod";
import { planResends } from "../events/plan-resends.ts";
import type { WorkContext, WorkHandler, WorkOutcome } from "./handler.ts";

export const redeliverKind = "webhook.redeliver";

const payloadSchema = z.union([
  z.object({
    endpoint_id: z.string(),
    /** When it was asked for: what is dropped later was not meant. */
    until: z.string(),
  }),
  z.object({ delivery_ids: z.array(z.string()) }),
]);
export type RedeliverPayload = z.output<typeof payloadSchema>;

/** What the account sees, and beside it behind which delivery the next chunk begins. */
const progressSchema = z.object({
  total: z.int(),
  done: z.int(),
  changed: z.int(),
  skipped: z.int(),
  failed: z.int(),
  after: z.object({ at: z.string(), id: z.string() }).nullable(),
});
type Progress = z.output<typeof progressSchema>;

/** How far a redelivery is that has not begun. */
export function newRedeliverProgress(total: number): Progress {
  return { total, done: 0, changed: 0, skipped: 0, failed: 0, after: null };
}

/** Deliveries that a transaction sends again. */
const chunkSize = 200;

interface Needs {
  db: Database;
  clock: Clock;
}

/**
 * Sends dropped deliveries again, those of an endpoint or those that are named, a bounded number in each transaction.
 * What was sent again or dismissed meanwhile is passed over, so that nothing goes out twice, whatever kills the worker.
 */
export function redeliverHandler(needs: Needs): WorkHandler {
  return { run: (context) => runChunk(needs, context) };
}

async function runChunk({ db, clock }: Needs, { job, saveProgress }: WorkContext) {
  const payload = payloadSchema.parse(job.payload);
  const progress = progressSchema.parse(job.progress);
  const accountId = job.accountId ?? "";
  const next = await nextChunk(db, accountId, payload, progress);
  return db.transaction(async (tx): Promise<WorkOutcome> => {
    const saved: Progress = { ...progress, done: progress.done + next.looked, after: next.after };
    const byEndpoint = Map.groupBy(next.places, ({ endpointId }) => endpointId);
    // Always in the same order, so that two of these never wait for each other.
    for (const endpointId of [...byEndpoint.keys()].toSorted()) {
      const place = { accountId, endpointId };
      const receiver = await lockReceiver(tx, accountId, endpointId);
      if ("endpoint_id" in payload && receiver?.isEnabled !== true) return cannotReceive();
      const eventIds = (byEndpoint.get(endpointId) ?? []).map(({ eventId }) => eventId);
      const latest = await lockLatestGenerations(tx, place, eventIds);
      const dropped = eventIds.filter((id) => {
        const last = latest.get(id);
        return last?.status === "dropped" && last.dismissedAt === null;
      });
      const plan = planResends(receiver, dropped, latest, clock.now());
      await writeResends(tx, place, plan.resends);
      saved.changed += plan.resends.length;
      saved.failed += plan.refused.length;
    }
    saved.skipped = saved.done - saved.changed - saved.failed;
    if (next.isLast) saved.total = saved.done;
    await saveProgress(tx, saved);
    tx.afterCommit(() => db.notify(workChannel));
    return { type: next.isLast ? "done" : "chunk", progress: saved };
  });
}

interface Chunk {
  places: DroppedPlace[];
  /** How many deliveries it stands for: those that are dropped no longer have no place. */
  looked: number;
  after: Progress["after"];
  isLast: boolean;
}

async function nextChunk(
  db: Database,
  accountId: string,
  payload: RedeliverPayload,
  { done, after }: Progress,
): Promise<Chunk> {
  if ("delivery_ids" in payload) {
    const ids = payload.delivery_ids.slice(done, done + chunkSize);
    return {
      places: await findDroppedPlaces(db, accountId, ids),
      looked: ids.length,
      after: null,
      isLast: done + ids.length >= payload.delivery_ids.length,
    };
  }
  const places = await readNextDropped(db, accountId, {
    endpointId: payload.endpoint_id,
    until: new Date(payload.until),
    after: after === null ? null : { at: new Date(after.at), id: after.id },
    limit: chunkSize,
  });
  const last = places.at(-1);
  return {
    places,
    looked: places.length,
    after: last === undefined ? after : { at: last.droppedAt.toISOString(), id: last.id },
    isLast: places.length < chunkSize,
  };
}

function cannotReceive(): WorkOutcome {
  const message = "The endpoint is disabled or removed.";
  return { type: "failed", reason: "endpoint_disabled", message };
}
