import type { Database, JobRow } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import { costWork } from "../batches/cost-work.ts";
import { endPublishedWork, endWork } from "../listings/bulk/end-work.ts";
import { publishWork } from "../listings/bulk/publish-work.ts";
import { reviseWork } from "../listings/bulk/revise-work.ts";
import { relocateWork } from "../locations/relocate-work.ts";
import type { MarketplaceNeeds } from "../marketplace/open-marketplace.ts";
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
  /** Without it what is checked against the marketplace is left to other workers. */
  marketplace?: MarketplaceNeeds | undefined;
}): [string, WorkHandler][] {
  const { marketplace } = options;
  const handler = bulkHandler({
    ...options,
    workOf: (job, payload) =>
      (marketplace === undefined ? undefined : listingWorkOf(marketplace, job, payload)) ??
      workOf(options.db, job, payload),
  });
  const kinds = bulkKinds.filter((kind) => marketplace !== undefined || !asksMarketplace(kind));
  return kinds.map((kind) => [kind, handler]);
}

function asksMarketplace(kind: string): boolean {
  return kind === "bulk.publish_listings" || kind === "bulk.revise_listings";
}

/** What is checked by the marketplace's rules. */
function listingWorkOf(
  needs: MarketplaceNeeds,
  job: JobRow,
  { work, actor }: BulkPayload,
): CardWork | undefined {
  const place = { accountId: job.accountId ?? "", actor, jobId: job.id };
  if (work.type === "publish_listings") return publishWork(needs, place);
  return work.type === "revise_listings" ? reviseWork(needs, place, work.refresh) : undefined;
}

function workOf(db: Database, job: JobRow, { work, actor }: BulkPayload): CardWork {
  switch (work.type) {
    case "undo":
      return undoWork(work.job_id);
    case "end_listings":
      return endWork(db, actor);
    case "end_published":
      return endPublishedWork(db, actor, work.job_id);
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
    case "publish_listings":
    case "revise_listings":
      throw new TypeError(`The handler of ${work.type} is another`);
    default:
      return actionWork(work);
  }
}
