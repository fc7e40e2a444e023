import { guidePageAt, guidePaths } from "@cardvault/guides";
import type { AnyRouter } from "@trpc/server";
import type { FastifyInstance } from "fastify";
import { operationsOf } from "./operations.ts";
import { sendFile, staticFile } from "./static-file.ts";
import type { StaticFile } from "./static-file.ts";

/**
 * Serves the guides under `/docs/guides`. Each is made when it is first asked for, since most processes
 * never are. @param publicUrl the service's origin, without a slash at the end
 */
export function registerGuides(
  fastify: FastifyInstance,
  { router, publicUrl }: { router: AnyRouter; publicUrl: string },
): void {
  const operations = operationsOf(router).map(({ method, path, meta }) => ({
    method,
    path,
    limitClass: meta.limitClass,
    scopes: meta.scopes,
  }));
  const made = new Map<string, StaticFile>();
  for (const path of guidePaths) {
    fastify.get(path, (request, reply) => {
      let file = made.get(path);
      if (file === undefined) {
        const text = guidePageAt(path, { origin: publicUrl, operations });
        if (text === undefined) return reply.callNotFound();
        file = staticFile("text/html; charset=utf-8", text);
        made.set(path, file);
      }
      return sendFile(file, request, reply);
    });
  }
}
