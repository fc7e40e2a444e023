import { costSpreadInput, job, VaultError } from "@cardvault/contract";
import type { CostSpreadInput, Job } from "@cardvault/contract";
import { startBulkJob } from "../bulk/start-job.ts";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { planCost } from "./plan-cost.ts";

/**
 * Begins a job that gives each card of a batch its share of the cost. The plan is made again by the job:
 * what is refused here would give nobody anything.
 * @throws VaultError `batch_not_found`; `conflict` for a batch without a cost, without a card that takes
 * part, or whose cards' own costs are more than its cost
 */
async function spreadBatchCost(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  { id, by, only_without_cost: onlyWithoutCost }: CostSpreadInput,
): Promise<Job> {
  const plan = await planCost(services.db, access.accountId, id, { by, onlyWithoutCost });
  if (plan.excess > 0) {
    throw new VaultError("conflict", {
      message: "The costs that cards of the batch have are more than the batch's cost.",
    });
  }
  if (plan.given.length === 0) {
    throw new VaultError("conflict", { message: "No card of the batch takes part." });
  }
  return startBulkJob(services, access, {
    kind: "batch.spread_cost",
    work: { type: "spread_cost", batch_id: id, by, only_without_cost: onlyWithoutCost },
    selection: { filter: { batch: [id] }, except: [] },
    batch: { id, changesMembership: false },
  });
}

export const spreadCostProcedure = session()
  .input(costSpreadInput)
  .output(job)
  .mutation(({ ctx, input }) => spreadBatchCost(ctx.services, ctx.access, input));
