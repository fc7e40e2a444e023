import autocannon from "autocannon";
import { serve } from "../stack/serve.ts";

/** One run of requests as fast as a few connections can make them. */
export interface LoadSettings {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

// A process of its own: what makes the requests must not share a thread with what starts the servers.
serve({
  async load({ origin, paths, token, connections, seconds }: LoadSettings): Promise<LoadResult> {
    const result = await autocannon({
      url: origin,
      connections,
      duration: seconds,
      headers: { authorization: `Bearer ${token}` },
      requests: paths.map((path) => ({ path })),
    });
    const requests = result["2xx"];
    if (result.errors > 0 || result.non2xx > 0 || requests === 0) {
      throw new Error(
        `${origin}${paths[0]}: ${requests} good answers, ${result.non2xx} others, ${result.errors} errors`,
      );
    }
    return {
      requests,
      requestsPerSecond: requests / result.duration,
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
    };
  },
});
