import type { FastifyInstance } from "fastify";

/** Files of people, which a slow line may take minutes for. */
const uploads: ReadonlySet<string> = new Set(["/photos", "/trpc/files/import"]);

/**
 * Ends requests whose body has not come in time, but for uploads: the server's own limit is theirs, and
 * would let everybody else hold a connection as long.
 */
export function limitBodies(fastify: FastifyInstance, timeoutMs: number): void {
  fastify.addHook("onRequest", (request, _reply, done) => {
    const { raw, method } = request;
    const [path = ""] = request.url.split("?", 1);
    if (method !== "GET" && method !== "HEAD" && !uploads.has(path)) {
      const timer = setTimeout(() => raw.destroy(), timeoutMs);
      timer.unref();
      raw.once("end", () => clearTimeout(timer));
      raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}
