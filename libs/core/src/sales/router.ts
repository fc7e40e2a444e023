import { router } from "../procedures.ts";
import { assignSaleProcedure } from "./assign-sale.ts";
import { salesListingsProcedure } from "./list-listings.ts";
import { salesListProcedure } from "./list-sales.ts";
import { salesToPullProcedure } from "./list-to-pull.ts";
import { markPulledProcedure } from "./mark-pulled.ts";
import { salesOverviewProcedure } from "./read-overview.ts";
import { settleCopiesProcedure } from "./settle-copies.ts";
import { settleDifferenceProcedure } from "./settle-difference.ts";
import { salesSummaryProcedure } from "./summarise-sales.ts";
import { syncNowProcedure } from "./sync-now.ts";

export const salesRouter = router({
  list: salesListProcedure,
  summary: salesSummaryProcedure,
  overview: salesOverviewProcedure,
  listings: salesListingsProcedure,
  toPull: salesToPullProcedure,
  markPulled: markPulledProcedure,
  assign: assignSaleProcedure,
  settleDifference: settleDifferenceProcedure,
  settleCopies: settleCopiesProcedure,
  syncNow: syncNowProcedure,
});
