import type { JobRow, Queryable } from "@cardvault/db";
import type { Logger } from "@cardvault/kit";

/** What a handler is given for one chunk. */
export interface WorkContext {
  readonly job: JobRow;
  readonly logger: Logger;
  /** In the transaction that commits the chunk: the progress is saved with it, or neither is. */
  readonly saveProgress: (tx: Queryable, progress: unknown) => Promise<void>;
  /** For a run of several chunks, between two: false where it was cancelled or paused, or is another's. Stop then. */
  readonly renew: () => Promise<boolean>;
}

/** How a chunk ended: `chunk` means that there is more. */
export type WorkOutcome =
  | { readonly type: "done"; readonly progress?: unknown }
  | { readonly type: "chunk"; readonly progress?: unknown; readonly runAt?: Date | undefined }
  | { readonly type: "failed"; readonly reason: string; readonly message: string };

/** Runs the jobs of one kind, a chunk at a time; the job runner's own form. */
export interface WorkHandler {
  run(context: WorkContext): Promise<WorkOutcome>;
  readonly pausesWhenSuspended?: boolean | undefined;
  /** After the job has ended; not for one that a person ends, nor if the process dies before. */
  readonly ended?: ((job: JobRow) => Promise<void>) | undefined;
}
