import { workOverview } from "@cardvault/contract";
import { readWorkKinds } from "@cardvault/db";
import { operator } from "../procedures.ts";

export const workOverviewProcedure = operator
  .output(workOverview)
  .query(async ({ ctx: { services } }) => {
    const now = services.clock.now();
    return { at: now.toISOString(), kinds: await readWorkKinds(services.db, now) };
  });
