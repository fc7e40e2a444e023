import { operatorJobListAnswer, operatorJobListInput } from "@cardvault/contract";
import { listEveryJob } from "@cardvault/db";
import { operator } from "../procedures.ts";
import { operatorJobAnswer } from "./job-answer.ts";

export const listEveryJobProcedure = operator
  .input(operatorJobListInput)
  .output(operatorJobListAnswer)
  .query(async ({ ctx, input }) => {
    const page = await listEveryJob(ctx.services.db, input);
    return { ...page, data: page.data.map(operatorJobAnswer) };
  });
