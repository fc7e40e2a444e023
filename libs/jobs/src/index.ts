export { createJobs } from "./create-jobs.ts";
export type { Jobs, JobsOptions, StoreSettings } from "./create-jobs.ts";
export type { JobContext, JobKind, JobOutcome } from "./job-kinds.ts";
export type { JobsStatus, WorkDepth } from "./status.ts";
export type { LaneDepth } from "./stores/job-store.ts";
export type { LaneFacts, LaneSettings, RunContext, RunOutcome, RunWork } from "./work-source.ts";
