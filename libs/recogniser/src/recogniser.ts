import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { CardReading } from "./reading.ts";
import type { ReadTask } from "./worker/read-card.ts";

export interface RecogniserOptions {
  /** Pictures at once; half of the processors, at most four, unless told. Each holds about 150 MB. */
  threads?: number | undefined;
  /** Pictures that wait; 64 unless told. */
  maxWaiting?: number | undefined;
}

/** A full queue: come again later. */
export class RecogniserBusyError extends Error {
  override readonly name = "RecogniserBusyError";
}

export interface Recogniser {
  /**
   * Reads a picture of a card, in a worker thread. Nothing is fetched and nothing is kept.
   * @throws RecogniserBusyError; the signal's reason
   */
  read(bytes: Uint8Array, signal?: AbortSignal): Promise<CardReading>;
  /** Only the hashes of the card in a picture, as `read` gives them: to learn it. */
  hash(bytes: Uint8Array, signal?: AbortSignal): Promise<CardReading["hashes"]>;
  close(): Promise<void>;
}

const worker = new URL("worker/read-card.ts", import.meta.url);
/** A thread needs two seconds to begin: it is kept for a while. */
const idleMs = 120_000;
/** Reading gives way to requests and deliveries of the same machine (Linux; elsewhere it changes nothing). */
const niceIncrement = 10;

/** The recogniser that needs no third party. Threads begin with the first picture. */
export function createRecogniser(options: RecogniserOptions = {}): Recogniser {
  const {
    threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
    maxWaiting = 64,
  } = options;
  const pool = new Piscina<ReadTask, CardReading>({
    filename: worker.href,
    name: "readCard",
    minThreads: 0,
    maxThreads: threads,
    maxQueue: maxWaiting,
    idleTimeout: idleMs,
    niceIncrement,
  });
  const run = (task: ReadTask, signal: AbortSignal | undefined): Promise<CardReading> => {
    if (pool.queueSize >= maxWaiting) throw new RecogniserBusyError("Too many pictures wait");
    return pool.run(task, signal === undefined ? {} : { signal });
  };
  return {
    read: async (bytes, signal) => run({ bytes }, signal),
    hash: async (bytes, signal) => (await run({ bytes, isHashOnly: true }, signal)).hashes,
    close: () => pool.destroy(),
  };
}
