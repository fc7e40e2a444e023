import type { JobRepository } from "agenda";

/** A job to be in the queue. Times are the machine's own, because Agenda's are. */
export interface QueueEntry {
  readonly lane: string;
  readonly dataMember: "deliveryId" | "jobId";
  readonly id: string;
  readonly runAt: Date;
}

export interface LaneDepth {
  readonly lane: string;
  /** Counted up to `depthLimit`. */
  readonly jobs: number;
  readonly oldestRunAt: Date | null;
}

/** A job as it stands in the store: what it is to work on is a row of PostgreSQL. */
export interface StandingEntry {
  /** The store's own. */
  readonly entryId: string;
  readonly dataMember: QueueEntry["dataMember"];
  /** `dlv_…` or `job_…` */
  readonly id: string;
}

/** Counting stops there: an operator's page must not read a whole backlog. */
export const depthLimit = 10_000;

export interface StandingPage {
  readonly entries: readonly StandingEntry[];
  /** Where to go on; null at the end. */
  readonly next: string | null;
}

/** Where Agenda keeps its jobs. PostgreSQL is the truth, so all of it may be lost. */
export interface JobStore {
  readonly kind: "mongodb" | "postgres";
  readonly repository: JobRepository;
  /** Throws while the store is away. Makes what is missing of collection and indexes. */
  prepare(): Promise<void>;
  /** Throws while the store is away. */
  ping(): Promise<void>;
  /**
   * Puts jobs into the queue. One that is there already is left alone, unless nobody holds it and it
   * would not run by then: that one is revived. Doing it again changes nothing.
   * @param staleBefore a lock taken before then is a dead process's
   */
  put(entries: readonly QueueEntry[], staleBefore: Date): Promise<void>;
  /** Renews the lock of a job that is being run. */
  touch(jobId: string, now: Date): Promise<void>;
  depth(lanes: readonly string[]): Promise<LaneDepth[]>;
  /** The next jobs after one, in the order of the store's own ids. Those that work on no row are left out. */
  standingAfter(entryId: string | null, limit: number): Promise<StandingPage>;
  remove(entryIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** What a stored job works on, if it works on a row. */
export function entryOf(
  entryId: string,
  data: { readonly [Member in QueueEntry["dataMember"]]?: unknown } | null | undefined,
): StandingEntry[] {
  for (const dataMember of ["deliveryId", "jobId"] as const) {
    const id = data?.[dataMember];
    if (typeof id === "string") return [{ entryId, dataMember, id }];
  }
  return [];
}
