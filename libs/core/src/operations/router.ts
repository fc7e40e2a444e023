import { router } from "../procedures.ts";
import { cancelEveryJobProcedure, retryEveryJobProcedure } from "./change-job.ts";
import { getOperatorJobProcedure } from "./get-job.ts";
import { listAccountHealthProcedure } from "./list-accounts.ts";
import { listEveryJobProcedure } from "./list-jobs.ts";
import { workOverviewProcedure } from "./read-overview.ts";

/** For operators of the platform: the background work of all accounts, and how these fare. */
export const operationsRouter = router({
  overview: workOverviewProcedure,
  jobs: listEveryJobProcedure,
  job: getOperatorJobProcedure,
  retry: retryEveryJobProcedure,
  cancel: cancelEveryJobProcedure,
  accounts: listAccountHealthProcedure,
});
