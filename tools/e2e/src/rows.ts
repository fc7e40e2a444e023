import { toUuid } from "@cardvault/kit";
import type { Stack } from "./stack.ts";

/** A job as it stands in the job store. */
export interface StandingJob {
  readonly name: string;
  readonly data: unknown;
}

/** Everything that waits or runs in the job store. */
export async function standingJobs(stack: Stack): Promise<StandingJob[]> {
  if (stack.mongo === undefined) {
    return stack.services.db.query<{ name: string; data: unknown }>(
      "select name, data from agenda.agenda_jobs",
    );
  }
  return stack.mongo.jobs(async (jobs) => {
    const documents = await jobs.find().toArray();
    return documents.map(({ name, data }) => ({ name: String(name), data: data as unknown }));
  });
}

export interface DeliveryRow {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly enqueued_at: Date | null;
}

/** The deliveries of one endpoint, from the first to the last. */
export function deliveriesTo(stack: Stack, endpointId: string): Promise<DeliveryRow[]> {
  return stack.services.db.query<DeliveryRow & Record<string, unknown>>(
    "select * from webhook_delivery where endpoint_id = $1 order by id",
    [toUuid(endpointId, "whe")],
  );
}

export interface AttemptRow {
  readonly number: number;
  readonly started_at: Date;
  readonly status_code: number | null;
  readonly error_code: string | null;
  readonly connect_ms: number | null;
  readonly first_byte_ms: number | null;
  readonly total_ms: number;
}

/** The attempts at one endpoint, in the order of their beginning. */
export function attemptsAt(stack: Stack, endpointId: string): Promise<AttemptRow[]> {
  return stack.services.db.query<AttemptRow & Record<string, unknown>>(
    "select * from webhook_attempt where endpoint_id = $1 order by started_at, number",
    [toUuid(endpointId, "whe")],
  );
}
