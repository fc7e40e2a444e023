import * as z from "zod";
import { accountId, jobId } from "./ids.ts";
import { jobProgress } from "./jobs-api.ts";
import { pageShape } from "./lists.ts";
import { filledText, timestamp } from "./text.ts";
import { environments, jobItemOutcomes, jobStatuses } from "./states.ts";

/** What operators of the platform see, of all accounts: no secret, and no job's payload. */

const depth = z.int().min(0);

/** How one kind of background work stands. `webhook.delivery` is the sending of events. */
export const workKind = z.strictObject({
  kind: z.string().meta({ examples: ["bulk.set_price"] }),
  /** Not ended, whenever it is due. */
  open: depth,
  /** Due by now, those that run included. */
  due: depth,
  running: depth,
  paused: depth,
  /** Committed, and not in the queue yet. */
  unrelayed: depth,
  /** Of what is due and nobody works on. */
  oldest_due_at: timestamp.nullable(),
  /** Of deliveries: attempts, and those of them that were not answered with a 2xx. */
  ended_last_hour: depth,
  ended_last_day: depth,
  failed_last_day: depth,
});
export type WorkKind = z.output<typeof workKind>;

/** `operations.overview` (operator). Takes no input. */
export const workOverview = z.strictObject({ at: timestamp, kinds: z.array(workKind) });
export type WorkOverview = z.output<typeof workOverview>;

const accountName = z.strictObject({
  id: accountId,
  name: z.string(),
  environment: z.enum(environments),
});

/** A job as an operator sees it. */
export const operatorJob = z.strictObject({
  id: jobId,
  kind: z.string(),
  status: z.enum(jobStatuses),
  /** Null for work of the installation itself. */
  account: accountName.nullable(),
  subject_id: z.string().nullable(),
  is_cancelling: z.boolean(),
  progress: jobProgress,
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** Claims since it last got on: a job that has too many fails. */
  claims: z.int().min(0),
  next_run_at: timestamp.nullable(),
  /** Until then a worker holds it. */
  leased_until: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type OperatorJob = z.output<typeof operatorJob>;

/** `operations.jobs` (operator): of all accounts, the latest first. */
export const operatorJobListInput = z.strictObject({
  status: z.array(z.enum(jobStatuses)).min(1).optional(),
  kind: z.array(filledText(60)).min(1).max(40).optional(),
  account_id: z.string().max(60).optional(),
  ...pageShape,
});
export type OperatorJobListInput = z.output<typeof operatorJobListInput>;
export const operatorJobListAnswer = z.strictObject({
  data: z.array(operatorJob),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});

/** `operations.job` (operator): one job, who asked for it, and what became of its cards, by reason. */
export const operatorJobDetail = z.strictObject({
  job: operatorJob,
  created_by: z.string().nullable().meta({ description: "A person's name, or a key's id." }),
  outcomes: z.array(
    z.strictObject({
      outcome: z.enum(jobItemOutcomes),
      code: z.string().nullable(),
      count: z.int().min(0),
    }),
  ),
});
export type OperatorJobDetail = z.output<typeof operatorJobDetail>;

/** How an account fares, for operators. */
export const accountHealth = z.strictObject({
  account: accountName,
  is_suspended: z.boolean(),
  open_jobs: depth,
  failed_jobs: depth.meta({ description: "In the last seven days." }),
  undelivered: depth,
  dropped_events: depth.meta({ description: "Not dismissed." }),
  disabled_endpoints: depth,
});
export type AccountHealth = z.output<typeof accountHealth>;

/** `operations.accounts` (operator): those with something wrong first, so many at most. Takes no input. */
export const maxAccountsShown = 200;
export const accountHealthAnswer = z.strictObject({
  data: z.array(accountHealth).max(maxAccountsShown),
  total: z.int().min(0),
});
