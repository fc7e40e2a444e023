import { percentile, round, table } from "../statistics.ts";
import type { ProcessState } from "../stack/process-state.ts";
import type { DatabaseState } from "./gauges.ts";
import type { PageState } from "./open-page.ts";
import { growthPercent, slowdown, trendOf } from "./trend.ts";
import type { Trend } from "./trend.ts";

/** What was measured in one span of the run. */
export interface Minute {
  readonly atSeconds: number;
  readonly busyPercent: number;
  /** Processors that the services, PostgreSQL and all that asks keep busy. */
  readonly cores: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, KindTimes>>;
  readonly processes: Readonly<Record<string, ProcessState>>;
  readonly database: DatabaseState;
  /** Undefined where there is no browser. */
  readonly page: PageState | undefined;
  readonly failures: number;
}

export interface KindTimes {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Requests answered, of all kinds; those with blanks before their name are parts of others. */
export function countAnswers({ kinds }: Minute): number {
  const counted = Object.entries(kinds).filter(([name]) => !name.startsWith(" "));
  return counted.reduce((sum, [, { count }]) => sum + count, 0);
}

export function timesOf(ms: readonly number[]): KindTimes {
  const part = (of: number): number => percentile(ms, of);
  return { count: ms.length, p50: part(0.5), p95: part(0.95), p99: part(0.99) };
}

/** One line a span, while it runs. */
export function minuteLine(minute: Minute): string {
  const { kinds, cores, processes, database, page } = minute;
  const count = countAnswers(minute);
  const times = ["card", "list", "patch", "poll", "page", "delivery"]
    .map(
      (name) =>
        `${name} ${round(kinds[name]?.p50 ?? Number.NaN)}/${round(kinds[name]?.p99 ?? Number.NaN)}`,
    )
    .join(" ");
  const memory = Object.entries(processes)
    .map(([name, { rssMb, heapMb }]) => `${name} ${round(rssMb)}/${round(heapMb, 1)}`)
    .join(" ");
  const used = Object.entries(cores)
    .map(([name, of]) => `${name} ${of.toFixed(2)}`)
    .join(" ");
  const { sizeMb, connections, outbox, due, jobs } = database;
  const shown = page === undefined ? "" : `; page ${round(page.heapMb, 1)} MB`;
  return (
    `${String(round(minute.atSeconds)).padStart(5)} s  busy ${round(minute.busyPercent)} % (${used}), ${count} answers, ` +
    `${minute.failures} failures; p50/p99 ms: ${times}; rss/heap MB: ${memory}${shown}; ` +
    `database ${round(sizeMb)} MB, ${connections} connections, waiting ${outbox}+${due}+${jobs}`
  );
}

/** What every kind took in the second quarter and in the last. */
export function kindTable(minutes: readonly Minute[]): string {
  const names = kindNames(minutes);
  return table([
    ["kind", "answers", "p50 ms", "then", "p95 ms", "then", "p99 ms", "then"],
    ...names.map((name) => [
      name,
      minutes.reduce((sum, { kinds }) => sum + (kinds[name]?.count ?? 0), 0),
      ...(["p50", "p95", "p99"] as const).flatMap((part) => {
        const { second, last } = kindTrend(minutes, name, part);
        return [round(second, 1), round(last, 1)];
      }),
    ]),
  ]);
}

/** What every process held in the second quarter and in the last, and the most it was late. */
export function processTable(minutes: readonly Minute[]): string {
  const names = Object.keys(minutes[0]?.processes ?? {});
  return table([
    [
      "process",
      "rss MB",
      "then",
      "heap MB",
      "then",
      "external MB",
      "then",
      "children MB",
      "then",
      "files",
      "then",
      "late p99 ms",
      "then",
    ],
    ...names.map((name) => [
      name,
      ...(
        ["rssMb", "heapMb", "externalMb", "childrenMb", "descriptors", "delayP99Ms"] as const
      ).flatMap((what) => {
        const { second, last } = processTrend(minutes, name, what);
        return [round(second, 1), round(last, 1)];
      }),
    ]),
  ]);
}

/** What the database and the page held in the second quarter and in the last. */
export function otherTable(minutes: readonly Minute[]): string {
  const rows: [string, Trend][] = [
    ["database MB", trendOf(minutes.map(({ database }) => database.sizeMb))],
    ["PostgreSQL's own memory MB", trendOf(minutes.map(({ database }) => database.ownMb))],
    ["connections", trendOf(minutes.map(({ database }) => database.connections))],
    ["not yet handed to a worker", trendOf(minutes.map(({ database }) => database.outbox))],
    ["deliveries late", trendOf(minutes.map(({ database }) => database.due))],
    ["jobs late", trendOf(minutes.map(({ database }) => database.jobs))],
    ["rows left over in the job store", trendOf(minutes.map(({ database }) => database.leftover))],
    ["heap of the open page MB", trendOf(minutes.map(({ page }) => page?.heapMb ?? Number.NaN))],
    ["its elements", trendOf(minutes.map(({ page }) => page?.elements ?? Number.NaN))],
    ["its listeners", trendOf(minutes.map(({ page }) => page?.listeners ?? Number.NaN))],
    ...Object.keys(minutes[0]?.cores ?? {}).map((name): [string, Trend] => [
      `processors of ${name}`,
      trendOf(minutes.map(({ cores }) => cores[name] ?? Number.NaN)),
    ]),
    ["busy %", trendOf(minutes.map(({ busyPercent }) => busyPercent))],
  ];
  return table([
    ["", "second quarter", "last quarter"],
    ...rows.map(([name, { second, last }]) => [name, round(second, 2), round(last, 2)]),
  ]);
}

function kindNames(minutes: readonly Minute[]): string[] {
  return [...new Set(minutes.flatMap(({ kinds }) => Object.keys(kinds)))].toSorted();
}

function kindTrend(minutes: readonly Minute[], name: string, part: keyof KindTimes): Trend {
  return trendOf(minutes.map(({ kinds }) => kinds[name]?.[part] ?? Number.NaN));
}

function processTrend(minutes: readonly Minute[], name: string, what: keyof ProcessState): Trend {
  return trendOf(minutes.map(({ processes }) => processes[name]?.[what] ?? Number.NaN));
}

/** Fewer in a span have no hundredth. */
const fewest = 100;

/** What of a run must not grow: the worst of its kind each, the last quarter against the second. */
export function trendsOf(minutes: readonly Minute[], floorMs: number) {
  const processes = Object.keys(minutes[0]?.processes ?? {});
  const often = kindNames(minutes).filter(
    (name) => trendOf(minutes.map(({ kinds }) => kinds[name]?.count ?? 0)).second >= fewest,
  );
  const worst = (values: readonly number[]): number => Math.max(...values);
  const grown = (what: keyof ProcessState): number[] =>
    processes.map((name) => growthPercent(processTrend(minutes, name, what)));
  const added = ({ second, last }: Trend): number => last - second;
  return {
    p99_ratio: worst(often.map((name) => slowdown(kindTrend(minutes, name, "p99"), floorMs))),
    rss_growth_percent: worst(grown("rssMb")),
    heap_growth_percent: worst(grown("heapMb")),
    page_heap_growth_percent: growthPercent(
      trendOf(minutes.map(({ page }) => page?.heapMb ?? Number.NaN)),
    ),
    descriptors_added: worst(
      processes.map((name) => added(processTrend(minutes, name, "descriptors"))),
    ),
    connections_added: added(trendOf(minutes.map(({ database }) => database.connections))),
    waiting_added: worst(
      (["outbox", "due", "jobs", "leftover"] as const).map((what) =>
        added(trendOf(minutes.map(({ database }) => database[what]))),
      ),
    ),
  };
}
