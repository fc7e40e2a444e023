import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import { eventsCommitted, providerCalled } from "./signals.ts";

interface PoolUse {
  readonly pool: string;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * What every process of an installation tells Prometheus besides Node's own: its database connections,
 * the events that it fired and the third parties that it called.
 */
export function countProcess(registry: Registry, connections: () => readonly PoolUse[]): void {
  const registers = [registry];
  const use: Gauge = new Gauge({
    name: "vault_database_connections",
    help: "Database connections of this process by pool and state; waiting are calls without one",
    labelNames: ["pool", "state"],
    registers,
    collect: () => {
      for (const { pool, ...states } of connections()) {
        for (const [state, count] of Object.entries(states)) use.set({ pool, state }, count);
      }
    },
  });
  const events = new Counter({
    name: "vault_events_total",
    help: "Events committed by this process by name",
    labelNames: ["event"],
    registers,
  });
  eventsCommitted.subscribe((names) => {
    for (const event of names) events.inc({ event });
  });
  const calls = new Histogram({
    name: "vault_provider_call_seconds",
    help: "Calls of third parties, waits and further tries included, by what came of them",
    labelNames: ["provider", "outcome"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  providerCalled.subscribe(({ provider, code, durationMs }) =>
    calls.observe({ provider, outcome: code ?? "answered" }, durationMs / 1_000),
  );
}
