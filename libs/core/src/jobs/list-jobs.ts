import { jobListAnswer, jobListInput } from "@cardvault/contract";
import { countJobs, listJobs, readPersonNames } from "@cardvault/db";
import { withTotal } from "../lists.ts";
import { session } from "../procedures.ts";
import { jobAnswers } from "./job-answer.ts";

export const listJobsProcedure = session()
  .input(jobListInput)
  .output(jobListAnswer)
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services;
    const { accountId } = ctx.access;
    const page = await withTotal(input, listJobs(db, accountId, input), () =>
      countJobs(db, accountId, input),
    );
    const askers = page.data.flatMap(({ createdBy }) => createdBy ?? []);
    const [data, people] = await Promise.all([
      jobAnswers(db, page.data),
      readPersonNames(db, askers),
    ]);
    return { ...page, data, people };
  });
