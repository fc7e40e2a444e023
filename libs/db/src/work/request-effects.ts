import type { DeliveryStatus, EventType, JobStatus } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { lowestIdAt } from "../webhooks/retention.ts";

// For operators: of all accounts, so nothing here takes an account first.

interface AttemptOfRequest {
  number: number;
  startedAt: Date;
  statusCode: number | null;
  errorCode: string | null;
}

interface DeliveryOfRequest {
  id: string;
  endpointId: string;
  generation: number;
  status: DeliveryStatus;
  attempts: AttemptOfRequest[];
}

interface EventOfRequest {
  id: string;
  accountId: string;
  type: EventType;
  createdAt: Date;
  traceparent: string | null;
  deliveries: DeliveryOfRequest[];
}

interface JobOfRequest {
  id: string;
  accountId: string | null;
  kind: string;
  status: JobStatus;
  traceparent: string | null;
}

/** What a request has caused: the jobs that it asked for, its events and theirs, and their deliveries. */
interface RequestEffects {
  at: Date;
  jobs: JobOfRequest[];
  events: EventOfRequest[];
  /** There are more events than are told. */
  hasMore: boolean;
}

const mostEvents = 200;
const mostJobs = 1_000;
/** Processes of several machines give ids by their own clocks. */
const skewMs = 60_000;
/** So long after a request its own events have been written. */
const ownMs = 600_000;

/**
 * What a request has caused, in the order in which it came about. Ids have their time in them, so only
 * what was made since is looked through, and no index is kept for it.
 */
export async function readRequestEffects(
  db: Queryable,
  requestId: string,
  now: Date,
): Promise<RequestEffects> {
  const uuid = toUuid(requestId, "req");
  const at = new Date(Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16));
  const lowest = lowestIdAt(new Date(at.getTime() - skewMs));
  const jobs = await db.query<{
    id: string;
    account_id: string | null;
    kind: string;
    status: JobStatus;
    traceparent: string | null;
    until: Date | null;
  }>(
    `select id, account_id, kind, status, traceparent, finished_at as until from job
     where id >= $2 and request_id = $1 order by id limit ${mostJobs}`,
    [uuid, lowest],
    "jobs-of-request",
  );
  const ends = [at, ...jobs.map(({ until }) => until ?? now)].map((end) => end.getTime());
  const highest = lowestIdAt(new Date(Math.max(...ends) + ownMs));
  const events = await db.query<{
    id: string;
    account_id: string;
    type: EventType;
    created_at: Date;
    traceparent: string | null;
  }>(
    `select id, account_id, type, created_at, traceparent from webhook_event
     where id >= $2 and id < $3 and request_id = $1 order by id limit ${mostEvents + 1}`,
    [uuid, lowest, highest],
    "events-of-request",
  );
  const told = events.slice(0, mostEvents);
  const deliveries = await readDeliveries(
    db,
    told.map(({ id }) => id),
  );
  return {
    at,
    hasMore: events.length > told.length,
    jobs: jobs.map(({ id, account_id: account, kind, status, traceparent }) => ({
      id: toId("job", id),
      accountId: account === null ? null : toId("acc", account),
      kind,
      status,
      traceparent,
    })),
    events: told.map(({ id, account_id: account, type, created_at: createdAt, traceparent }) => ({
      id: toId("evt", id),
      accountId: toId("acc", account),
      type,
      createdAt,
      traceparent,
      deliveries: deliveries.get(id) ?? [],
    })),
  };
}

/** By the event's UUID. */
async function readDeliveries(
  db: Queryable,
  eventUuids: readonly string[],
): Promise<Map<string, DeliveryOfRequest[]>> {
  const rows = await db.query<{
    event_id: string;
    id: string;
    endpoint_id: string;
    generation: number;
    status: DeliveryStatus;
    attempts: { number: number; at: string; status: number | null; error: string | null }[];
  }>(
    `select d.event_id, d.id, d.endpoint_id, d.generation, d.status,
       coalesce((select json_agg(json_build_object('number', t.number, 'at', t.started_at,
           'status', t.status_code, 'error', t.error_code) order by t.number)
         from webhook_attempt t where t.delivery_id = d.id), '[]') as attempts
     from webhook_delivery d where d.event_id = any($1::uuid[]) order by d.id`,
    [eventUuids],
    "deliveries-of-request",
  );
  const byEvent = new Map<string, DeliveryOfRequest[]>();
  for (const { event_id: event, id, endpoint_id: endpoint, attempts, ...rest } of rows) {
    const delivery = {
      ...rest,
      id: toId("dlv", id),
      endpointId: toId("whe", endpoint),
      attempts: attempts.map((one) => ({
        number: one.number,
        startedAt: new Date(one.at),
        statusCode: one.status,
        errorCode: one.error,
      })),
    };
    byEvent.set(event, [...(byEvent.get(event) ?? []), delivery]);
  }
  return byEvent;
}
