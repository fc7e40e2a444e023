import { VaultError } from "@cardvault/contract";
import type { Services } from "@cardvault/core";
import { within } from "@cardvault/kit";
import type { FastifyInstance } from "fastify";

const databaseDeadlineMs = 2_000;

/**
 * `/livez`: the process answers. `/readyz`: it can work, and a request that comes now is not turned away
 * because the process closes or cannot keep up, as it may in its first second.
 */
export function registerOps(
  scope: FastifyInstance,
  { db }: Services,
  isNotReady: () => boolean,
): void {
  scope.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
  scope.get("/livez", () => ({ status: "ok" }));
  scope.get("/readyz", async () => {
    if (isNotReady()) throw new VaultError("service_unavailable");
    try {
      await within(databaseDeadlineMs, db.query("select 1"));
    } catch (cause) {
      throw new VaultError("service_unavailable", { cause });
    }
    return { status: "ok" };
  });
}
