import type { Database, JobRow } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import { costWork } from "../batches/cost-work.ts";
import { relocateWork } from "../locations/relocate-work.ts";
import { skuWork } from "../skus/sku-work.ts";
import type { WorkHandler } from "../work/handler.ts";
import { bulkHandler } from "./bulk-handler.ts";
import { bulkKinds } from "./bulk-job.ts";
import type { BulkPayload } from "./bulk-job.ts";
import { actionWork } from "./card-actions.ts";
import type { CardWork } from "./card-work.ts";
import { patchWork } from "./patch-work.ts";
import type { ChunkLimits } from "./run-chunks.ts";
import { undoWork } from "./undo-work.ts";

/** The handlers of the jobs that `bulk.start` and `bulk.undo` make. */
export function bulkHandlers(options: {
  db: Database;
  clock: Clock;
  limits?: Partial<ChunkLimits> | undefined;
}): [string, WorkHandler][] {
  const handler = bulkHandler({
    ...options,
    workOf: (job, payload) => workOf(options.db, job, payload),
  });
  return bulkKinds.map((kind) => [kind, handler]);
}

function workOf(db: Database, job: JobRow, { work }: BulkPayload): CardWork {
  switch (work.type) {
    case "undo":
      return undoWork(work.job_id);
    case "spread_cost": {
      const place = { accountId: job.accountId ?? "", batchId: work.batch_id, jobId: job.id };
      return costWork(db, place, { by: work.by, onlyWithoutCost: work.only_without_cost });
    }
    case "relocate":
      return relocateWork(work);
    case "assign_skus":
      return skuWork();
    case "patch_each":
      return patchWork(job.id);
    case "identify":
    case "lookup_prices":
      throw new TypeError(`The handler of ${work.type} is another`);
    default:
      return actionWork(work);
  }
}
