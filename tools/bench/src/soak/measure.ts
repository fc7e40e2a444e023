/** What was asked for since the last time, by kind. */
export interface Measured {
  /** Milliseconds from when a request was due to the end of its answer. */
  readonly timesMs: Readonly<Record<string, readonly number[]>>;
  /** Answers that nobody expects, and requests without one. */
  readonly failures: readonly string[];
}

/** Gathers how long requests took and which went wrong. */
export interface Measure {
  /** Waits for the work; one that throws is a failure and has no time. */
  time(kind: string, dueMs: number, work: () => Promise<unknown>): Promise<void>;
  note(kind: string, ms: number): void;
  fail(kind: string, error: unknown): void;
  /** What was gathered, which is forgotten here. */
  take(): Measured;
}

export function createMeasure(): Measure {
  let timesMs: Record<string, number[]> = {};
  let failures: string[] = [];
  const measure: Measure = {
    async time(kind, dueMs, work) {
      try {
        await work();
        measure.note(kind, performance.now() - dueMs);
      } catch (error) {
        measure.fail(kind, error);
      }
    },
    note(kind, ms) {
      (timesMs[kind] ??= []).push(ms);
    },
    fail(kind, error) {
      const said = error instanceof Error ? describe(error) : String(error);
      failures.push(`${new Date().toISOString()} ${kind}: ${said}`);
    },
    take() {
      const taken = { timesMs, failures };
      [timesMs, failures] = [{}, []];
      return taken;
    },
  };
  return measure;
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
