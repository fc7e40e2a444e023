import { randomInt } from "node:crypto";
import { isPortFree } from "@cardvault/postgres";

/** The local start takes more ports than PORT, at these distances from it. */
export const portsBeside = [1_000, 2_000, 2_001] as const;

/**
 * A port below those that a system gives to outgoing connections: one of these would take it while a
 * program that was killed is down. Those at the other distances from it are free too.
 */
export async function quietPort(distances: readonly number[] = [0]): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 28_000);
    const isFree = await Promise.all(distances.map((distance) => isPortFree(port + distance)));
    if (isFree.every(Boolean)) return port;
  }
}
