import { startTestServers } from "./servers.ts";

/** Vitest's global set-up: one PostgreSQL for the whole run. What it returns takes the servers down. */
export async function setup(): Promise<() => Promise<void>> {
  const servers = await startTestServers();
  return () => servers.stop();
}
