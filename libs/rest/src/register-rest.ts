import { VaultError, maxBodyBytes } from "@cardvault/contract";
import type { TokenPrincipal } from "@cardvault/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createAdmission } from "./admission.ts";
import { createAnswerer } from "./answer.ts";
import { parseJsonBody } from "./body.ts";
import { restErrorOf, sendError } from "./errors.ts";
import { operationsOf } from "./operations.ts";
import type { Operation } from "./operations.ts";
import type { Reservation, RestOptions } from "./options.ts";
import { createRouteTable } from "./target.ts";

/**
 * Binds every documented procedure of a router to a Fastify route of its own, and answers every path
 * that has none. Call it on the root instance before any other route is registered: the error
 * handler and the table of methods count for all of them.
 *
 * The order of checks is the contract's: route and method, token, limit, size and type, JSON, scope,
 * schema, resource, state.
 */
export function registerRest<Tx, R extends Reservation>(
  fastify: FastifyInstance,
  options: RestOptions<Tx, R>,
): void {
  const table = createRouteTable();
  const principals = new WeakMap<FastifyRequest, TokenPrincipal>();
  const admission = createAdmission(options);

  fastify.setErrorHandler((error, request, reply) => {
    sendError(restErrorOf(error), request, reply);
  });
  fastify.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) table.add(one, url);
  });
  fastify.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });

  /** That there is no such route comes before all else, and the request counts all the same. */
  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    await admission.count(request, reply);
    const [path = ""] = (request.raw.url ?? "").split("?");
    const allow = table.methodsOf(path);
    throw allow.length === 0
      ? new VaultError("route_not_found")
      : new VaultError("method_not_allowed", { allow });
  }

  function addRoute(scope: FastifyInstance, operation: Operation): void {
    const answer = createAnswerer(operation, options);
    const { limitClass } = operation.meta;
    const [idName] = operation.pathParameters;
    scope.route({
      method: operation.method,
      url: operation.pattern,
      bodyLimit: maxBodyBytes,
      onRequest: async (request, reply) => {
        // The router takes nothing for an id, but `/cards/` is no documented path.
        if (idName !== undefined && (request.params as Record<string, string>)[idName] === "") {
          await refuse(request, reply);
        }
        reply.header("cache-control", "private, no-cache");
        principals.set(request, await admission.admit(request, reply, limitClass));
        if (request.headers["content-encoding"] !== undefined) {
          throw new VaultError("unsupported_media_type", {
            message: "The request body must not be encoded.",
          });
        }
      },
      handler: (request, reply) => {
        const principal = principals.get(request);
        if (principal === undefined) throw new VaultError("missing_token");
        return answer(request, reply, principal);
      },
      errorHandler: (error, request, reply) => {
        sendError(restErrorOf(error, operation), request, reply);
      },
    });
  }

  // A scope of its own, so that its parser is nobody else's.
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>(
      "application/json",
      { parseAs: "buffer" },
      (_request, bytes, done) => {
        try {
          done(null, parseJsonBody(bytes));
        } catch (error) {
          done(error as Error);
        }
      },
    );
    for (const operation of operationsOf(options.router)) addRoute(scope, operation);
  });

  void fastify.register(async (scope) => {
    // In a hook, so that the body is not read.
    scope.addHook("onRequest", refuse);
    scope.setNotFoundHandler(() => {
      throw new VaultError("route_not_found");
    });
  });
}
