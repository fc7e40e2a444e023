import { withStack } from "../stack/stack.ts";
import type { Stack } from "../stack/stack.ts";
import type { Goal, Scenario, ScenarioOptions, StoreKind } from "../scenario.ts";
import { round } from "../statistics.ts";
import { openHouse, tally } from "./house.ts";
import type { House } from "./house.ts";
import { pace, sustain, warmUp } from "./rate.ts";
import type { ReceiverReport } from "./receiver.ts";
import { watchWorker } from "./worker-parts.ts";

const accounts = 8;
const perSecond = 100;
const nothingIsLost: readonly Goal[] = [
  { figure: "lost", atMost: 0 },
  { figure: "unverified", atMost: 0 },
];
const latencyGoals: readonly Goal[] = [
  { figure: "p50_ms", atMost: 100 },
  { figure: "p95_ms", atMost: 250 },
  { figure: "p99_ms", atMost: 1_000 },
];

export const webhooksScenario: Scenario = {
  name: "webhooks",
  sentence: "latency and throughput in one short run",
  run: ({ store, seconds = 30, profile }) =>
    withStack(store, async (stack) => {
      const house = await openHouse(stack, { accounts });
      const worker = await watchWorker(stack, profile);
      await warmUp(house, perSecond);
      const latency = await measureLatency(house, seconds);
      const sustained = await sustain(house, worker.program, {
        seconds,
        samplesStatements: profile,
        onSpanEnd: (span) => worker.mark(span),
      });
      await worker.finish(sustained.deliveries);
      const { lost, repeated, unverified } = await tally(house);
      return {
        figures: {
          store,
          sustained_per_s: round(sustained.perSecond),
          committed: sustained.committed,
          ...latencyFigures(latency),
          lost,
          repeated,
          unverified,
          seconds,
        },
        goals: goalsOf(store, [{ figure: "sustained_per_s", atLeast: 300 }, ...latencyGoals]),
      };
    }),
};

export const latencyScenario: Scenario = {
  name: "latency",
  sentence: "from the commit to the receiver at 100 changes a second",
  run: ({ store, seconds = 60 }) =>
    withWorker(store, async (house) => {
      await warmUp(house, perSecond);
      const latency = await measureLatency(house, seconds);
      const { lost, repeated, unverified } = await tally(house);
      return {
        figures: { store, ...latencyFigures(latency), lost, repeated, unverified, seconds },
        goals: goalsOf(store, latencyGoals),
      };
    }),
};

export const throughputScenario: Scenario = {
  name: "throughput",
  sentence: "deliveries a second that last, with what limits them",
  run: ({ store, seconds = 300, profile }: ScenarioOptions) =>
    withStack(store, async (stack) => {
      const house = await openHouse(stack, { accounts });
      const worker = await watchWorker(stack, profile);
      await warmUp(house, perSecond);
      const sustained = await sustain(house, worker.program, {
        seconds,
        samplesStatements: profile,
        onSpanEnd: (span) => worker.mark(span),
      });
      await worker.finish(sustained.deliveries);
      const { lost, repeated, unverified, deliveries } = await tally(house);
      return {
        figures: {
          store,
          sustained_per_s: round(sustained.perSecond),
          delivered: deliveries,
          ...sustained.figures,
          lost,
          repeated,
          unverified,
          seconds,
        },
        goals: goalsOf(store, [{ figure: "sustained_per_s", atLeast: 600 }]),
      };
    }),
};

function withWorker<T>(store: StoreKind, work: (house: House, stack: Stack) => Promise<T>) {
  return withStack(store, async (stack) => {
    const house = await openHouse(stack, { accounts });
    await stack.startWorker();
    return work(house, stack);
  });
}

async function measureLatency(house: House, seconds: number): Promise<ReceiverReport> {
  const { committed, report } = await pace(house, { perSecond, seconds });
  console.log(
    `At ${perSecond} changes a second: ${report.arrived} of ${committed} events received, slowest ${report.maxMs} ms`,
  );
  return report;
}

const latencyFigures = ({ p50Ms, p95Ms, p99Ms }: ReceiverReport) => ({
  p50_ms: p50Ms,
  p95_ms: p95Ms,
  p99_ms: p99Ms,
});

/** Where no server of MongoDB's own can be had a stand-in runs, whose speed says nothing. */
function goalsOf(store: StoreKind, ofSpeed: readonly Goal[]): readonly Goal[] {
  return store === "postgres" ? [...ofSpeed, ...nothingIsLost] : nothingIsLost;
}
