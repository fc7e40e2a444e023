import type { Services } from "@cardvault/core";
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

/** Sign-in under `/auth`. What is not one of its few paths answers 404 like any other. */
export function registerAuth(scope: FastifyInstance, { signIn, config }: Services): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) => {
    done(null, bytes);
  });
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
