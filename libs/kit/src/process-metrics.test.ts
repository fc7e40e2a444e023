import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { countProcess, eventsCommitted, providerCalled } from "./index.ts";

test("what a process does is counted from the moment on when somebody counts", async () => {
  eventsCommitted.publish(["card.priced"]);
  const registry = new Registry();
  countProcess(registry, () => [{ pool: "reads", busy: 2, idle: 1, waiting: 4 }]);
  eventsCommitted.publish(["card.identified", "card.priced"]);
  eventsCommitted.publish(["card.priced"]);
  providerCalled.publish({ provider: "cardsight", code: null, durationMs: 300 });
  providerCalled.publish({ provider: "cardsight", code: "timeout", durationMs: 15_000 });
  const text = await registry.metrics();
  for (const line of [
    'vault_database_connections{pool="reads",state="busy"} 2',
    'vault_database_connections{pool="reads",state="waiting"} 4',
    'vault_events_total{event="card.identified"} 1',
    'vault_events_total{event="card.priced"} 2',
    'vault_provider_call_seconds_count{provider="cardsight",outcome="answered"} 1',
    'vault_provider_call_seconds_bucket{le="10",provider="cardsight",outcome="timeout"} 0',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});
