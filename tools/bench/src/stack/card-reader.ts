import { serve } from "./serve.ts";

/** Cards that are asked for one after the other, at a fixed rate. */
export interface ReaderSettings {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly token: string;
  readonly perSecond: number;
}

let timer: NodeJS.Timeout | undefined;
let times: number[] = [];
let problems: string[] = [];

// A process of its own, so that what loads the service does not hold up what is measured beside it.
serve({
  /** So many, one after the other: what is asked for the first time is no measure. */
  async read({ origin, paths, token, count }: ReaderSettings & { count: number }): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      await ask(`${origin}${paths[at % paths.length] ?? ""}`, token);
    }
  },
  /** From now on, whether the answers before have come or not. */
  start({ origin, paths, token, perSecond }: ReaderSettings): void {
    [times, problems] = [[], []];
    const everyMs = 1_000 / perSecond;
    const startMs = performance.now();
    const next = (sent: number): void => {
      // From when it was due: a service that stands still is not asked less often for it.
      const dueMs = startMs + sent * everyMs;
      timer = setTimeout(
        () => {
          void ask(`${origin}${paths[sent % paths.length] ?? ""}`, token)
            .then(() => times.push(performance.now() - dueMs))
            .catch((error: unknown) => problems.push(String(error)));
          next(sent + 1);
        },
        Math.max(0, dueMs - performance.now()),
      );
    };
    next(0);
  },
  /** Answers how long each took, in milliseconds. */
  stop(): number[] {
    clearTimeout(timer);
    if (problems.length > 0) throw new Error(`${problems.length} failed: ${problems[0]}`);
    return times;
  },
});

async function ask(url: string, token: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
}
