import { job, jobIdInput } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { changeOwnJob } from "./change-own-job.ts";

export const retryJobProcedure = session()
  .input(jobIdInput)
  .output(job)
  .mutation(({ ctx, input }) =>
    changeOwnJob(ctx.services, ctx.principal, input.id, { type: "retry" }),
  );
