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

/** Counting stops there: an operator's page must not read a whole backlog. */
export const depthLimit = 10_000;

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
  close(): Promise<void>;
}
