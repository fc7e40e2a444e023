import {
  attemptOutcomes,
  batchStatuses,
  consentOutcomes,
  deliveryStatuses,
  eventTypes,
  jobStatuses,
  trailSubjects,
} from "@cardvault/contract";
import type {
  AttemptOutcomeClass,
  BatchStatus,
  ConsentOutcome,
  DeliveryStatus,
  EventType,
  JobStatus,
  QueueReason,
  ReviewOrder,
  TrailSubject,
} from "@cardvault/contract";

/** Search parameters are typed where a page reads them; what does not fit is left out. */
export type Given = Record<string, unknown>;

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Those of the known values that are named; one alone may stand without brackets. */
function someOf<Value extends string>(
  known: readonly Value[],
  value: unknown,
): Value[] | undefined {
  const named: unknown[] = Array.isArray(value) ? value : [value];
  const some = known.filter((one) => named.includes(one));
  return some.length > 0 ? some : undefined;
}

function momentOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** Periods that end now, so that a saved link stays true. */
const periodSeconds = {
  "1h": 3_600,
  "24h": 86_400,
  "7d": 7 * 86_400,
  "30d": 30 * 86_400,
} as const;
export type Period = keyof typeof periodSeconds;
export const periods = Object.keys(periodSeconds) as Period[];

/** A stretch of time in an address: a period that ends now, or exact moments. */
export interface TimeSearch {
  period?: Period | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

function timeOf(given: Given): TimeSearch {
  return {
    period: periods.find((period) => period === given["period"]),
    since: momentOf(given["since"]),
    until: momentOf(given["until"]),
  };
}

/** The moments that a procedure is asked for, as of now. */
export function timeRangeOf({ period, since, until }: TimeSearch): {
  since?: string;
  until?: string;
} {
  if (period !== undefined) {
    return { since: new Date(Date.now() - periodSeconds[period] * 1000).toISOString() };
  }
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
}

export const endpointTabs = ["deliveries", "attempts", "missing", "verify", "timeline"] as const;
export type EndpointTab = (typeof endpointTabs)[number];

export interface EndpointSearch extends TimeSearch {
  tab?: EndpointTab | undefined;
  status?: DeliveryStatus[] | undefined;
  outcome?: AttemptOutcomeClass[] | undefined;
  event?: EventType[] | undefined;
  delivery?: string | undefined;
}

export function endpointSearch(given: Given): EndpointSearch {
  return {
    tab: endpointTabs.find((tab) => tab === given["tab"]),
    status: someOf(deliveryStatuses, given["status"]),
    outcome: someOf(attemptOutcomes, given["outcome"]),
    event: someOf(eventTypes, given["event"]),
    delivery: textOf(given["delivery"]),
    ...timeOf(given),
  };
}

export interface EventsSearch {
  type?: EventType[] | undefined;
  event?: string | undefined;
  delivery?: string | undefined;
}

export function eventsSearch(given: Given): EventsSearch {
  return {
    type: someOf(eventTypes, given["type"]),
    event: textOf(given["event"]),
    delivery: textOf(given["delivery"]),
  };
}

/** The orders of the list of batches, as they are called. */
export const batchSortWords = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  "-updated_at": "Changed last first",
  name: "By name",
} as const;

export interface BatchesSearch {
  status?: BatchStatus | undefined;
  sort?: keyof typeof batchSortWords | undefined;
  /** The dialog for a new one is open. */
  new?: true | undefined;
}

export function batchesSearch(given: Given): BatchesSearch {
  const sorts = Object.keys(batchSortWords) as (keyof typeof batchSortWords)[];
  return {
    status: batchStatuses.find((status) => status === given["status"]),
    sort: sorts.find((sort) => sort === given["sort"]),
    new: given["new"] === true ? true : undefined,
  };
}

export const reviewOrders = [
  "confidence",
  "value",
  "age",
] as const satisfies readonly ReviewOrder[];
/** The reasons that the review asks about. */
export const reviewReasons = [
  "low_confidence",
  "ambiguous",
  "unreadable",
  "providers_failed",
  "high_value",
] as const satisfies readonly QueueReason[];

interface ReviewSearch {
  order?: ReviewOrder | undefined;
  reason?: QueueReason[] | undefined;
  batch?: string | undefined;
}

export function reviewSearch(given: Given): ReviewSearch {
  return {
    order: reviewOrders.find((order) => order === given["order"]),
    reason: someOf(reviewReasons, given["reason"]),
    batch: textOf(given["batch"]),
  };
}

interface AccountSearch extends TimeSearch {
  tab?: "trail" | undefined;
  about?: TrailSubject[] | undefined;
}

export function accountSearch(given: Given): AccountSearch {
  return {
    tab: given["tab"] === "trail" ? "trail" : undefined,
    about: someOf(trailSubjects, given["about"]),
    ...timeOf(given),
  };
}

export interface JobsSearch {
  tab?: "accounts" | undefined;
  status?: JobStatus[] | undefined;
  kind?: string[] | undefined;
  account?: string | undefined;
  job?: string | undefined;
}

export function jobsSearch(given: Given): JobsSearch {
  const kinds = [given["kind"]].flat().filter((kind) => textOf(kind) !== undefined) as string[];
  return {
    tab: given["tab"] === "accounts" ? "accounts" : undefined,
    status: someOf(jobStatuses, given["status"]),
    kind: kinds.length > 0 ? kinds : undefined,
    account: textOf(given["account"]),
    job: textOf(given["job"]),
  };
}

/** Which rows of a list that is imported are shown: by their check, and once they are imported by their outcome. */
export const shownVerdicts = ["valid", "invalid", "duplicate", "ignored"] as const;
export const shownOutcomes = [
  "created",
  "updated",
  "added",
  "skipped",
  "failed",
  "undone",
  "kept",
] as const;
export type ShownRows = (typeof shownVerdicts)[number] | (typeof shownOutcomes)[number];

export interface ImportListSearch {
  import?: string | undefined;
  batch?: string | undefined;
  rows?: ShownRows | undefined;
}

export function importListSearch(given: Given): ImportListSearch {
  return {
    import: textOf(given["import"]),
    batch: textOf(given["batch"]),
    rows: [...shownVerdicts, ...shownOutcomes].find((name) => name === given["rows"]),
  };
}

interface IntegrationsSearch {
  outcome?: ConsentOutcome | undefined;
}

export function integrationsSearch(given: Given): IntegrationsSearch {
  return { outcome: consentOutcomes.find((outcome) => outcome === given["outcome"]) };
}
