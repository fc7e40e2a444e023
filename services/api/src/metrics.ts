import { createServer } from "node:http";
import type { Server } from "node:http";
import type { Limiter, Services } from "@cardvault/core";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  registry: Registry;
  requests: Histogram<"method" | "route" | "status">;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "vault_http_request_seconds",
    help: "Time from the request's head to the end of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return { registry, requests };
}

/** Times every answer, by the route's pattern: a path would make a series of each id. */
export function recordRequests(fastify: FastifyInstance, { requests }: Metrics): void {
  fastify.addHook("onResponse", (request, reply, done) => {
    // A subscription lasts for as long as somebody looks at a page.
    if (String(reply.getHeader("content-type")).startsWith("text/event-stream")) return done();
    const route = request.is404 ? "none" : (request.routeOptions.url ?? "none");
    requests.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1_000,
    );
    done();
  });
}

/** The same limiters, whose refusals are counted by whose window was full. */
export function countLimits<Limiters extends Readonly<Record<string, Limiter>>>(
  { registry }: Metrics,
  limiters: Limiters,
): Record<keyof Limiters, Limiter> {
  const refusals = new Counter({
    name: "vault_limit_refusals_total",
    help: "Requests over a limit by its window: a token's of a class, a person's, an address's or a sign-in's",
    labelNames: ["window"],
    registers: [registry],
  });
  const counted = (limiter: Limiter): Limiter => ({
    take: async (input) => {
      const taken = await limiter.take(input);
      if (!taken.allowed) refusals.inc({ window: windowOf(input.key) });
      return taken;
    },
    counted: (keys, now) => limiter.counted(keys, now),
    close: () => limiter.close(),
  });
  return Object.fromEntries(
    Object.entries(limiters).map(([name, limiter]) => [name, counted(limiter)]),
  ) as Record<keyof Limiters, Limiter>;
}

/** A key names a token or an address, of which there are too many for labels. */
function windowOf(key: string): string {
  const [kind, , limitClass] = key.split(":");
  if (kind === "token") return `token_${limitClass}`;
  if (kind === "sign-in") return "sign_in";
  return kind === "user" ? "person" : "address";
}

/** How many pages are told what changes. */
export function countLive({ registry }: Metrics, live: Services["live"]): void {
  const gauge: Gauge = new Gauge({
    name: "vault_live_connections",
    help: "Live connections of this process",
    registers: [registry],
    collect: () => gauge.set(live.connections()),
  });
}

/** A server for the metrics alone, on a port that is not open to the world. */
export function listenForMetrics(
  { registry }: Metrics,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
