// The package has no types of its own; this is the part that the bench uses.
declare module "autocannon" {
  interface AutocannonOptions {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    headers?: Record<string, string>;
    requests?: { method?: string; path: string }[];
  }
  interface AutocannonResult {
    /** Seconds that the run took. */
    duration: number;
    errors: number;
    non2xx: number;
    "2xx": number;
    /** Milliseconds. */
    latency: { p50: number; p99: number };
  }
  const autocannon: (options: AutocannonOptions) => Promise<AutocannonResult>;
  export default autocannon;
}
