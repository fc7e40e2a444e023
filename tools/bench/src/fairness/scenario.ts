import { withStack } from "../stack/stack.ts";
import type { Goal, Scenario } from "../scenario.ts";
import { behave, countWaiting, drain, openHouse, report } from "../webhooks/house.ts";
import type { House, HouseAccount } from "../webhooks/house.ts";
import type { PaceSettings } from "../webhooks/producer.ts";
import type { ReceiverReport } from "../webhooks/receiver.ts";
import { seedDue } from "../webhooks/seed-due.ts";

const perSecond = 100;
const neighbourPerSecond = 20;
/** The crowded endpoint answers after so long, so that its backlog outlasts the measurement. */
const crowdedAfterMs = 50;

export const fairnessScenario: Scenario = {
  name: "fairness",
  sentence: "healthy endpoints beside dead ones, and beside another account's 50,000 due",
  run: ({ store, seconds = 60, due = 50_000 }) =>
    withStack(store, async (stack) => {
      const house = await openHouse(stack, { accounts: 8 });
      const [deadAt20, deadAt50, crowded, one, ...others] = house.accounts;
      if (!deadAt20 || !deadAt50 || !crowded || !one) throw new Error("Too few accounts");
      await behave(house, [deadAt20, deadAt50], "hang");
      await behave(house, [crowded], { afterMs: crowdedAfterMs });
      const worker = await stack.startWorker();

      // One of five, then one of two. Each dead endpoint is new to the worker: nothing is known of it.
      const healthy = [one, ...others.slice(0, 3)];
      const at20 = await load(house, healthy, { perSecond, seconds }, deadAt20);
      console.log(`20 % of the load at a dead endpoint: ${line(at20)}`);
      const at50 = await load(house, [one], { perSecond, seconds }, deadAt50);
      console.log(`50 % of the load at a dead endpoint: ${line(at50)}`);

      await worker.stop();
      await seedDue(house, [crowded], due);
      await stack.startWorker();
      const beside = await load(house, [one], { perSecond: neighbourPerSecond, seconds });
      const stillDue = await countWaiting(house, [crowded]);
      console.log(`Beside one endpoint's backlog: ${line(beside)}; ${stillDue} of it still wait`);

      const isPostgres = store === "postgres";
      const ofSpeed: Goal[] = [
        { figure: "dead20_p95_ms", atMost: 500 },
        { figure: "dead50_p95_ms", atMost: 500 },
        { figure: "beside_p95_ms", atMost: 1_000 },
      ];
      const undelivered = at20.undelivered + at50.undelivered + beside.undelivered;
      return {
        figures: {
          store,
          dead20_p95_ms: at20.p95Ms,
          dead20_max_ms: at20.maxMs,
          dead50_p95_ms: at50.p95Ms,
          dead50_max_ms: at50.maxMs,
          beside_p95_ms: beside.p95Ms,
          beside_max_ms: beside.maxMs,
          still_due: stillDue,
          undelivered,
          seconds,
        },
        goals: [
          // Where no server of MongoDB's own can be had a stand-in runs, whose speed says nothing.
          ...(isPostgres ? ofSpeed : []),
          { figure: "still_due", atLeast: 1 },
          { figure: "undelivered", atMost: 0 },
        ],
      };
    }),
};

type Loaded = ReceiverReport & { readonly undelivered: number };

/** The same load for each of these accounts, and for the dead one. What the healthy ones got. */
async function load(
  house: House,
  healthy: readonly HouseAccount[],
  settings: PaceSettings,
  dead?: HouseAccount,
): Promise<Loaded> {
  const { producer, receiver } = house;
  await producer.ask("accounts", dead === undefined ? healthy : [dead, ...healthy]);
  await receiver.ask("mark");
  await producer.ask("pace", settings);
  await drain(house, { of: healthy, deadlineMs: 60_000 });
  return { ...(await report(house, healthy)), undelivered: await countWaiting(house, healthy) };
}

const line = ({ arrived, p50Ms, p95Ms, maxMs }: ReceiverReport): string =>
  `${arrived} events, p50 ${p50Ms} ms, p95 ${p95Ms} ms, slowest ${maxMs} ms`;
