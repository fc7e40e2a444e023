import { router } from "../procedures.ts";
import { cancelJobProcedure } from "./cancel-job.ts";
import { getJobProcedure } from "./get-job.ts";
import { listJobsProcedure } from "./list-jobs.ts";

export const jobsRouter = router({
  list: listJobsProcedure,
  get: getJobProcedure,
  cancel: cancelJobProcedure,
});
