import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { toUuid } from "@cardvault/kit";
import { waitUntil } from "@cardvault/postgres";
import { buildPages, hasChromium } from "../pages/open-pages.ts";
import { writePhotos } from "../photo-batch/pictures.ts";
import { probeArguments, writeSnapshot } from "../stack/process-state.ts";
import type { Program } from "../stack/programs.ts";
import { withStack } from "../stack/stack.ts";
import type { Stack } from "../stack/stack.ts";
import type { Goal, Scenario, ScenarioOptions, ScenarioResult } from "../scenario.ts";
import { round } from "../statistics.ts";
import { accountFor } from "./accounting.ts";
import { createMeasure } from "./measure.ts";
import { countAnswers, kindTable, otherTable, processTable, trendsOf } from "./minutes.ts";
import { openStayingPage } from "./open-page.ts";
import { watchMinutes } from "./recorder.ts";
import { bringPhotos } from "./photo-work.ts";
import { keepRoutine } from "./routine.ts";
import type { TrafficResult, TrafficSettings } from "./traffic.ts";
import { openWorld } from "./world.ts";
import type { World } from "./world.ts";

const defaultSeconds = 1_800;
/** In a shorter run the second quarter still is the start: caches fill, code is compiled. */
const judgedFromSeconds = 600;
const drainDeadlineMs = 240_000;
const photosAtOnce = 4;
/** A job each, all at once: so both workers have loaded what they recognise cards with, once for all. */
const warmUpPhotos = 8;
/** What is answered faster than that is fast, on two processors that all programs share. */
const floorMs = 25;
const shownFailures = 20;

// Of all that asks, in a second. Two processors that PostgreSQL, all services, the clients and a browser share
// are half busy with it: what is looked for is what grows, and not how much there can be.
const load = {
  listsPerSecond: 4,
  cardsPerSecond: 14,
  oddPerSecond: 1,
  pagesPerSecond: 3.2,
  editsPerSecond: 0.5,
} as const;

export const soakScenario: Scenario = {
  name: "soak",
  sentence: "30 minutes of everything on two api and two worker processes: flat, and nothing lost",
  run: (options) =>
    withStack(options.store, (stack) => soak(stack, options), {
      withSandbox: true,
      // The windows of the limits are shared, as where there are several processes.
      environment: { RATE_LIMIT_STORE: "postgres" },
      nodeArguments: probeArguments(),
      // Two of each hold 96 of the 100 that it comes with; sandbox and bench want some too.
      postgresSettings: { max_connections: "140" },
    }),
};

/** Two of each, and the addresses of those that are asked. */
interface Services {
  readonly programs: Readonly<Record<string, Program>>;
  readonly origins: readonly string[];
}

async function soak(stack: Stack, options: ScenarioOptions): Promise<ScenarioResult> {
  const seconds = options.seconds ?? (options.minutes ?? defaultSeconds / 60) * 60;
  const camera = join(stack.folder, "camera");
  const drawn = await writePhotos(camera, warmUpPhotos + photosAtOnce * 5, "sandbox");
  const photos = drawn.slice(warmUpPhotos);
  const isShown = hasChromium();
  if (isShown) await buildPages();
  const services = await startServices(stack);
  const { programs, origins } = services;
  const world = await openWorld(stack);
  console.log(`${Object.keys(programs).join(", ")} for ${round(seconds / 60, 1)} minutes`);
  const since = new Date().toISOString();
  await Promise.all(
    drawn.slice(0, warmUpPhotos).map((photo, at) => bringPhotos(world.dealer, [photo], -1 - at)),
  );
  const page = isShown ? await openStayingPage(stack.publicUrl, world.dealer) : undefined;
  try {
    const traffic = await startTraffic(stack, world, origins, since);
    const measure = createMeasure();
    const minutes = watchMinutes(
      { stack, world, programs, traffic, page, measure },
      Math.min(60, seconds / 12),
    );
    const stopping = new AbortController();
    const work = { world, traffic, origins, photosAtOnce, measure };
    const routine = keepRoutine(
      { ...work, photos, quarterMs: (seconds * 1_000) / 4 },
      stopping.signal,
    );
    await wait((seconds * 1_000) / 4);
    if (options.profile) await writeSnapshots(services, "early");
    await wait((seconds * 3_000) / 4);
    const watched = await minutes.stop();
    stopping.abort();
    const [counts] = await Promise.all([routine, traffic.ask("stop")]);
    const span = { since, until: new Date().toISOString() };
    const undelivered = await drain(stack, world);
    if (options.profile) await writeSnapshots(services, "late");
    const result = await traffic.ask<TrafficResult>("result");
    await watched.takeRest();

    for (const failure of watched.failures.slice(0, shownFailures)) console.log(`  ${failure}`);
    console.log(`\nThe second quarter, then the last:\n${kindTable(watched.minutes)}`);
    console.log(`\n${processTable(watched.minutes)}\n\n${otherTable(watched.minutes)}\n`);
    const trends = Object.entries(trendsOf(watched.minutes, floorMs));
    const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
    const figures = {
      store: options.store,
      seconds,
      answers: sum(watched.minutes.map(countAnswers)),
      changes_told: result.told.length,
      listings: counts.published.length,
      sold: counts.sold.length,
      imported: counts.imported,
      imports_undone: counts.undone,
      priced_by_jobs: counts.priced,
      photos: counts.photos,
      keys_rotated: counts.rotations,
      busy_percent: round(
        sum(watched.minutes.map((one) => one.busyPercent)) / watched.minutes.length,
      ),
      unexpected_answers: watched.failures.length,
      ...(await accountFor(stack, world, result, counts, span)),
      undelivered,
      unverified: watched.unverified,
      live_missed: result.liveMissed,
      prices_not_undone: counts.priced - counts.pricesUndone,
      ...Object.fromEntries(trends.map(([name, value]) => [name, round(value, 2)])),
    };
    return { figures, goals: goalsOf(seconds >= judgedFromSeconds, isShown) };
  } finally {
    await page?.close();
  }
}

async function startServices(stack: Stack): Promise<Services> {
  const api_1 = await stack.startApi();
  const api_2 = await stack.startAnotherApi();
  const worker_1 = await stack.startWorker();
  const worker_2 = await stack.startWorker();
  const { sandbox } = stack;
  return {
    programs: { api_1, api_2, worker_1, worker_2, ...(sandbox === undefined ? {} : { sandbox }) },
    origins: [api_1.publicUrl, api_2.url],
  };
}

/** Of each service, for the memory page of a browser's developer tools. */
async function writeSnapshots({ programs }: Services, when: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cardvault-soak-"));
  for (const [name, program] of Object.entries(programs)) {
    await writeSnapshot(program, join(folder, `${name}-${when}.heapsnapshot`));
  }
  console.log(`Heaps ${when}: ${folder}`);
}

async function startTraffic(
  stack: Stack,
  { clients, dealer, editedIds }: World,
  origins: readonly string[],
  since: string,
): Promise<Program> {
  const program = await stack.start({ file: join(import.meta.dirname, "traffic.ts") });
  const { pagesPerSecond, editsPerSecond, ...rates } = load;
  const { headers } = dealer;
  await program.ask("start", {
    api: { origins, accounts: clients, ...rates },
    pages: { origins, headers, editedIds, pagesPerSecond, editsPerSecond },
    since,
  } satisfies TrafficSettings);
  return program;
}

/** Until nothing waits for a receiver that answers. How many deliveries still do when the time is up. */
async function drain({ services }: Stack, { endpoints }: World): Promise<number> {
  const dead = endpoints.filter(({ kind }) => kind === "dead").map(({ id }) => toUuid(id));
  let waiting = Number.NaN;
  await waitUntil(
    async () => {
      const [row] = await services.db.query<{ count: number }>(
        `select count(*) as count from webhook_delivery
         where status in ('pending', 'retrying') and endpoint_id <> all ($1::uuid[])`,
        [dead],
      );
      waiting = row?.count ?? Number.NaN;
      return waiting === 0;
    },
    drainDeadlineMs,
    250,
  );
  return waiting;
}

const nothing = [
  "unexpected_answers",
  "lost",
  "phantoms",
  "without_event",
  "unexpected_events",
  "unrecorded",
  "poller_missed",
  "undelivered",
  "unverified",
  "live_missed",
  "prices_not_undone",
];

function goalsOf(isJudged: boolean, hasPage: boolean): Goal[] {
  const flat: Goal[] = [
    { figure: "p99_ratio", atMost: 1.5 },
    { figure: "rss_growth_percent", atMost: 15 },
    { figure: "heap_growth_percent", atMost: 15 },
    ...(hasPage ? [{ figure: "page_heap_growth_percent", atMost: 25 }] : []),
    { figure: "descriptors_added", atMost: 20 },
    { figure: "connections_added", atMost: 10 },
    { figure: "waiting_added", atMost: 20 },
  ];
  return [
    ...nothing.map((figure) => ({ figure, atMost: 0 })),
    { figure: "changes_told", atLeast: 1 },
    { figure: "listings", atLeast: 1 },
    { figure: "photos", atLeast: 1 },
    ...(isJudged ? flat : []),
  ];
}
