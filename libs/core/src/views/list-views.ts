import { viewListAnswer } from "@cardvault/contract";
import { listViews } from "@cardvault/db";
import { session } from "../procedures.ts";
import { viewerOf } from "./viewer.ts";

export const listViewsProcedure = session()
  .output(viewListAnswer)
  .query(async ({ ctx: { services, access, principal } }) => ({
    data: await listViews(services.db, access.accountId, viewerOf(principal)),
  }));
