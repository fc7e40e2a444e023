import { jobListAnswer, jobListInput } from "@cardvault/contract";
import { listJobs } from "@cardvault/db";
import { session } from "../procedures.ts";
import { jobAnswer } from "./job-answer.ts";

export const listJobsProcedure = session()
  .input(jobListInput)
  .output(jobListAnswer)
  .query(async ({ ctx, input }) => {
    const page = await listJobs(ctx.services.db, ctx.access.accountId, input);
    return { ...page, data: page.data.map(jobAnswer) };
  });
