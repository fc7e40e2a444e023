import { router } from "../procedures.ts";
import { cancelJobProcedure } from "./cancel-job.ts";
import { getJobProcedure } from "./get-job.ts";
import { listItemsProcedure } from "./list-items.ts";
import { listJobsProcedure } from "./list-jobs.ts";
import { pauseJobProcedure } from "./pause-job.ts";
import { resumeJobProcedure } from "./resume-job.ts";
import { retryJobProcedure } from "./retry-job.ts";

export const jobsRouter = router({
  list: listJobsProcedure,
  get: getJobProcedure,
  items: listItemsProcedure,
  cancel: cancelJobProcedure,
  pause: pauseJobProcedure,
  resume: resumeJobProcedure,
  retry: retryJobProcedure,
});
