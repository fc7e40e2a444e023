import type { Services } from "@cardvault/core";
import { parseJsonBody } from "@cardvault/rest";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { headersOf } from "./web-headers.ts";

const maxBodyBytes = 16 * 1024;

/** The request as sign-in takes it. Its origin is the configured one, never a header's. */
function webRequest(request: FastifyRequest, publicUrl: string): Request {
  const { body } = request;
  return new Request(new URL(request.raw.url ?? "/", publicUrl), {
    method: request.method,
    headers: headersOf(request),
    ...(Buffer.isBuffer(body) && body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
}

/**
 * Sign-in under `/auth`. What is not one of its few paths answers 404 like any other. Bodies are JSON alone:
 * what a form of another site can send is refused by its type.
 */
export function registerAuth(scope: FastifyInstance, { signIn, config }: Services): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    (_request, bytes, done) => {
      try {
        if (bytes.length > 0) parseJsonBody(bytes);
        done(null, bytes);
      } catch (error) {
        done(error as Error);
      }
    },
  );
  scope.route({
    method: ["GET", "POST"],
    url: "/auth/*",
    bodyLimit: maxBodyBytes,
    handler: async (request, reply) => {
      const answer = await signIn.handler(webRequest(request, config.publicUrl), request.ip);
      void reply.code(answer.status).header("cache-control", "no-store");
      for (const [name, value] of answer.headers) void reply.header(name, value);
      return reply.send(Buffer.from(await answer.arrayBuffer()));
    },
  });
}
