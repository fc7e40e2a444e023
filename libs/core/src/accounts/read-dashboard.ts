import { dashboard, dashboardInput } from "@cardvault/contract";
import { readDashboard } from "@cardvault/db";
import { session } from "../procedures.ts";

export const dashboardProcedure = session()
  .input(dashboardInput)
  .output(dashboard)
  .query(({ ctx: { services, access }, input }) =>
    readDashboard(services.db, access.accountId, {
      timeZone: input.time_zone,
      now: services.clock.now(),
    }),
  );
