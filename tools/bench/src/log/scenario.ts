import { appRouter, createCallerFactory } from "@cardvault/core";
import type { Services, SessionPrincipal } from "@cardvault/core";
import { newId } from "@cardvault/kit";
import { openAccount, openEndpoint } from "../stack/account.ts";
import { withStack } from "../stack/stack.ts";
import type { Scenario } from "../scenario.ts";
import { percentile, round, table } from "../statistics.ts";
import { explaining } from "./explaining.ts";
import { seedLog } from "./seed-log.ts";

const endpoints = 20;
const days = 30;
const runs = 25;
const warmUpRuns = 3;
const dayMs = 24 * 60 * 60 * 1_000;

const createCaller = createCallerFactory(appRouter);
type Caller = ReturnType<typeof createCaller>;
interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}
/** One way to look at the log, as the pages of the account do. */
type Look = readonly [name: string, read: (caller: Caller, cursor?: string) => Promise<Page>];

export const logScenario: Scenario = {
  name: "log",
  sentence: "pages of a log of 1,000,000 attempts, by every filter",
  run: ({ store, attempts = 1_000_000 }) =>
    withStack(store, async ({ services, databaseUrl }) => {
      const { accountId } = await openAccount(services, "Bench");
      const endpointIds: string[] = [];
      for (let index = 0; index < endpoints; index += 1) {
        // Nothing is sent there: no worker runs.
        endpointIds.push(
          (await openEndpoint(services, accountId, `http://127.0.0.1:9/${index}`)).id,
        );
      }
      console.log(`Writing ${attempts} attempts`);
      const seeded = await seedLog({ databaseUrl, accountId, endpointIds, attempts, days });

      const caller = callerOf(services, accountId);
      const scans: string[] = [];
      const explained = callerOf({ ...services, db: explaining(services.db, scans) }, accountId);
      const allMs: number[] = [];
      const rows: (string | number)[][] = [];
      let [worstP50Ms, worstP95Ms] = [0, 0];
      let empty = 0;
      for (const [name, read] of looksAt(endpointIds)) {
        const before = scans.length;
        const first = await read(explained);
        const { next_cursor: next } = first;
        if (next !== null) await read(explained, next);
        if (first.data.length === 0) empty += 1;
        const ms = await timesOf(() => read(caller));
        if (next !== null) ms.push(...(await timesOf(() => read(caller, next))));
        allMs.push(...ms);
        worstP50Ms = Math.max(worstP50Ms, percentile(ms, 0.5));
        worstP95Ms = Math.max(worstP95Ms, percentile(ms, 0.95));
        const scanned = scans.slice(before).join(", ");
        rows.push([
          name,
          first.data.length,
          round(percentile(ms, 0.5), 1),
          round(percentile(ms, 0.95), 1),
          scanned,
        ]);
      }
      console.log(
        table([["page of", "rows", "p50 ms", "p95 ms", "read from end to end"], ...rows]),
      );
      return {
        figures: {
          attempts: seeded,
          filters: rows.length,
          page_p50_ms: round(percentile(allMs, 0.5), 1),
          page_p95_ms: round(percentile(allMs, 0.95), 1),
          worst_filter_p50_ms: round(worstP50Ms, 1),
          worst_filter_p95_ms: round(worstP95Ms, 1),
          empty_pages: empty,
          full_scans: scans.length,
        },
        goals: [
          { figure: "attempts", atLeast: attempts * 0.99 },
          { figure: "page_p95_ms", atMost: 50 },
          { figure: "worst_filter_p95_ms", atMost: 50 },
          { figure: "full_scans", atMost: 0 },
        ],
      };
    }),
};

/** The procedures, as an owner of the account who is signed in calls them. */
function callerOf(services: Services, accountId: string): Caller {
  const principal: SessionPrincipal = {
    kind: "session",
    userId: "bench",
    userName: "Bench",
    userEmail: "bench@vault.example",
    accountId,
    environment: "test",
    currency: "USD",
    role: "owner",
    isOperator: false,
    isSuspended: false,
  };
  return createCaller({ services, principal, requestId: newId("req") });
}

function looksAt([failing = "", , healthy = ""]: readonly string[]): Look[] {
  type AttemptFilter = NonNullable<Parameters<Caller["webhooks"]["attempts"]["list"]>[0]>;
  type DeliveryFilter = NonNullable<Parameters<Caller["webhooks"]["deliveries"]["list"]>[0]>;
  const attempts = (name: string, filter: AttemptFilter): Look => [
    `attempts: ${name}`,
    (caller, cursor) => caller.webhooks.attempts.list({ ...filter, cursor }),
  ];
  const deliveries = (name: string, filter: DeliveryFilter): Look => [
    `deliveries: ${name}`,
    (caller, cursor) => caller.webhooks.deliveries.list({ ...filter, cursor }),
  ];
  const ago = (part: number): string => new Date(Date.now() - part * days * dayMs).toISOString();
  const since = ago(1);
  const longAgo = { since: ago(0.91), until: ago(0.9) };
  return [
    attempts("all", {}),
    attempts("an endpoint", { endpoint_id: healthy }),
    attempts("a common event", { event: ["card.priced"] }),
    attempts("a rare event", { event: ["batch.completed"] }),
    attempts("a rare event at an endpoint", { event: ["batch.completed"], endpoint_id: failing }),
    attempts("delivered", { delivered: true }),
    attempts("failed", { delivered: false }),
    attempts("failed at an endpoint", { delivered: false, endpoint_id: failing }),
    attempts("failed where nothing failed", { delivered: false, endpoint_id: healthy }),
    attempts("5xx", { outcome: ["5xx"] }),
    attempts("4xx, which are rare", { outcome: ["4xx"] }),
    attempts("no answer", { outcome: ["no_answer"] }),
    attempts("503", { status_code: [503] }),
    attempts("418, of which there are none", { status_code: [418] }),
    attempts("a rare error", { error: ["tls"] }),
    attempts("a day long ago", longAgo),
    attempts("failed, long ago", { delivered: false, ...longAgo }),
    deliveries("all", {}),
    deliveries("an endpoint", { endpoint_id: healthy }),
    deliveries("delivered", { status: ["delivered"] }),
    deliveries("waiting, of which there are none", { status: ["pending", "retrying"] }),
    deliveries("dropped", { status: ["dropped"] }),
    deliveries("dropped at an endpoint", { status: ["dropped"], endpoint_id: failing }),
    deliveries("a rare event", { event: ["batch.completed"] }),
    deliveries("a day long ago", longAgo),
    [
      "missing at an endpoint",
      (caller, cursor) => caller.webhooks.endpoints.missing({ id: failing, since, cursor }),
    ],
    [
      "missing where nothing is",
      (caller, cursor) => caller.webhooks.endpoints.missing({ id: healthy, since, cursor }),
    ],
  ];
}

async function timesOf(read: () => Promise<unknown>): Promise<number[]> {
  const ms: number[] = [];
  for (let run = -warmUpRuns; run < runs; run += 1) {
    const fromMs = performance.now();
    await read();
    if (run >= 0) ms.push(performance.now() - fromMs);
  }
  return ms;
}
