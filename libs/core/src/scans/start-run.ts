import { run, runStartInput } from "@cardvault/contract";
import { insertRun, readRun } from "@cardvault/db";
import { session } from "../procedures.ts";

export const startRunProcedure = session()
  .input(runStartInput)
  .output(run)
  .mutation(async ({ ctx: { services, access }, input: { run_id: id, location = null } }) => {
    const { db, clock } = services;
    const createdBy = access.actor.id;
    await insertRun(db, access.accountId, { id, location, createdBy, now: clock.now() });
    return readRun(db, access.accountId, id);
  });
