import { availableParallelism } from "node:os";
import { VaultError } from "@cardvault/contract";
import type { ErrorCode } from "@cardvault/contract";
import { Piscina } from "piscina";
import { maxPictureBytes, maxPicturePixels, minPictureSide } from "./limits.ts";
import type { PictureProblem, PictureTask, ProcessedPicture, WorkerAnswer } from "./task.ts";

export interface PictureProcessorOptions {
  /** Pictures at once; all processors but one, at most four, unless told. */
  threads?: number | undefined;
  /** Pictures that wait; beyond it callers are asked to come again. 32 unless told. */
  maxWaiting?: number | undefined;
  /** For one picture; 30 s unless told. A thread that takes longer is ended. */
  timeoutMs?: number | undefined;
}

export interface PictureProcessor {
  /**
   * Checks a picture and derives its sizes, in a worker thread.
   * @throws VaultError `unsupported_media_type`, `body_too_large`, `photo_unavailable` for the file;
   * `service_unavailable` where too many wait
   */
  process(task: PictureTask): Promise<ProcessedPicture>;
  /** Pictures that wait for a thread now. */
  waiting(): number;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

const worker = new URL("worker/process.ts", import.meta.url);
const idleMs = 30_000;
/** HEIC is decoded on the pool's own threads, which give way as libuv's do (Linux). */
const niceIncrement = 10;
const retryAfterSeconds = 2;

/** A pool of worker threads with a bounded queue: the process's own event loop stays free. */
export function createPictureProcessor(options: PictureProcessorOptions = {}): PictureProcessor {
  const {
    threads = Math.max(1, Math.min(4, availableParallelism() - 1)),
    maxWaiting = 32,
    timeoutMs = 30_000,
  } = options;
  const pool = new Piscina<PictureTask, WorkerAnswer>({
    filename: worker.href,
    name: "processPicture",
    minThreads: 0,
    maxThreads: threads,
    maxQueue: maxWaiting,
    idleTimeout: idleMs,
    niceIncrement,
  });
  return {
    async process(task) {
      if (pool.queueSize >= maxWaiting) {
        throw new VaultError("service_unavailable", { retryAfterSeconds });
      }
      const signal = AbortSignal.timeout(timeoutMs);
      let answer: WorkerAnswer;
      try {
        answer = await pool.run(task, { signal });
      } catch (cause) {
        if (signal.aborted) throw refusal("took_too_long", cause);
        throw new VaultError("internal_error", { cause });
      }
      if (!answer.ok) throw refusal(answer.problem);
      return answer;
    },
    waiting: () => pool.queueSize,
    close: () => pool.close(),
  };
}

const refusals: Record<PictureProblem, { code: ErrorCode; message: string }> = {
  unsupported: {
    code: "unsupported_media_type",
    message: "The file is not a JPEG, PNG, WebP or HEIC picture.",
  },
  animated: { code: "unsupported_media_type", message: "Moving pictures are not taken." },
  unreadable: { code: "photo_unavailable", message: "The picture is broken or incomplete." },
  too_many_bytes: {
    code: "body_too_large",
    message: `A picture may have ${maxPictureBytes / 1_000_000} MB.`,
  },
  too_many_pixels: {
    code: "photo_unavailable",
    message: `A picture may have ${maxPicturePixels / 1_000_000} megapixels.`,
  },
  too_small: {
    code: "photo_unavailable",
    message: `A picture must have ${minPictureSide} pixels on each side.`,
  },
  took_too_long: {
    code: "photo_unavailable",
    message: "The picture could not be decoded in time.",
  },
};

/** The public error for a file that is not taken. */
export function refusal(problem: PictureProblem, cause?: unknown): VaultError {
  const { code, message } = refusals[problem];
  return new VaultError(code, { message, ...(cause === undefined ? {} : { cause }) });
}
