import { scanListAnswer, scanListInput } from "@cardvault/contract";
import { listScans, readRun, scanAnswers } from "@cardvault/db";
import { session } from "../procedures.ts";

export const listScansProcedure = session()
  .input(scanListInput)
  .output(scanListAnswer)
  .query(async ({ ctx: { services, access }, input }) => {
    const { db } = services;
    const { run_id: runId, before = null, limit } = input;
    const run = await readRun(db, access.accountId, runId);
    const found = await listScans(db, access.accountId, { runId, before, limit: limit + 1 });
    const data = await scanAnswers(db, access.accountId, found.slice(0, limit));
    return { run, data, has_more: found.length > limit };
  });
