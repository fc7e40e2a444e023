import { job } from "@cardvault/contract";
import type { Job } from "@cardvault/contract";
import { startBulkJob } from "../bulk/start-job.ts";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/** Begins a job that gives every card without a SKU one by the account's format; archived cards stay without. */
function assignSkus(services: Pick<Services, "db" | "clock">, access: Access): Promise<Job> {
  return startBulkJob(services, access, {
    kind: "card.assign_skus",
    work: { type: "assign_skus" },
    selection: { without_sku: true },
  });
}

export const assignSkusProcedure = session()
  .output(job)
  .mutation(({ ctx }) => assignSkus(ctx.services, ctx.access));
