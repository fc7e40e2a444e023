import { forRequest, startRequest } from "@cardvault/kit";
import type { Span } from "@cardvault/kit";
import { operationsOf } from "@cardvault/rest";
import type { AnyRouter } from "@trpc/server";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What works for somebody beside the API. Pages, their files and the probes are not worth a trace. */
const traced = /^\/(?:trpc|photos|auth\/(?:\*|marketplace)|inventory\/labels)(?:\/|$)/;
/** Lasts for as long as somebody looks at a page. */
const subscription = /^\/trpc\/live\./;

/**
 * Everything that a request does knows its id: what it writes to the log, and the events and jobs that
 * it causes. While traces are recorded it is the first step of one.
 */
export function followRequests(fastify: FastifyInstance, router: AnyRouter): void {
  const operations = new Set(operationsOf(router).map(({ pattern }) => pattern));
  const isTraced = ({ is404, raw, routeOptions: { url = "" } }: FastifyRequest): boolean =>
    !is404 && (operations.has(url) || traced.test(url)) && !subscription.test(raw.url ?? "");
  const spans = new WeakMap<FastifyRequest, Span>();
  fastify.addHook("onRequest", (request, _reply, done) => {
    const span = isTraced(request) ? startSpan(request) : null;
    if (span !== null) spans.set(request, span);
    forRequest(request.id, span, done);
  });
  // Once more: a body is read in the name of the connection, not of the request.
  fastify.addHook("preValidation", (request, _reply, done) => {
    forRequest(request.id, spans.get(request) ?? null, done);
  });
  fastify.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    span?.add({ "http.response.status_code": reply.statusCode });
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode));
    span?.end();
    done();
  });
}

/**
 * Never with the address as it came: it may hold what is signed or searched for. The caller's own trace
 * is linked and not continued: a stranger must not decide what is recorded here, nor under which number.
 */
function startSpan(request: FastifyRequest): Span | null {
  const { method, id, routeOptions, headers } = request;
  const route = routeOptions.url ?? "";
  const { traceparent } = headers;
  return startRequest(`${method} ${route}`, {
    kind: "server",
    facts: { "http.request.method": method, "http.route": route, "vault.request_id": id },
    ...(typeof traceparent === "string" ? { link: traceparent } : {}),
  });
}
