import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BenchAccount } from "../stack/account.ts";
import { profileArguments, profileClock, readProfile } from "../stack/cpu-profile.ts";
import type { ProfileParts } from "../stack/cpu-profile.ts";
import type { Program } from "../stack/programs.ts";
import type { Stack } from "../stack/stack.ts";
import { round, table } from "../statistics.ts";
import type { LoadResult, LoadSettings } from "./load-generator.ts";

export interface PartsOptions {
  readonly stack: Stack;
  readonly account: BenchAccount;
  readonly generator: Program;
  readonly routes: readonly { readonly name: string; readonly paths: readonly string[] }[];
  readonly connections: number;
  readonly startBare: (
    stack: Stack,
    account: BenchAccount,
    publicUrl: string,
    nodeArguments: readonly string[],
  ) => Promise<{ program: Program; origin: string }>;
}

const warmUpSeconds = 2;
const seconds = 4;
/** Parts below this many microseconds of a request are one line together. */
const smallestMicroseconds = 2;
const shownFunctions = 14;

/**
 * Says where the time of a request goes: both sides run once more under V8's profiler, which slows
 * them, and each part's own time is divided by the requests that were answered meanwhile.
 */
export async function printParts(options: PartsOptions): Promise<void> {
  const { stack, account, routes, startBare } = options;
  for (const route of routes) {
    const service = await measure(options, route, `${route.name}-service`, async (profiling) => {
      const program = await stack.startApi(profiling);
      return { program, origin: program.publicUrl };
    });
    const bare = await measure(options, route, `${route.name}-bare`, (profiling) =>
      startBare(stack, account, "http://127.0.0.1", profiling),
    );
    console.log(`\n${route.name}: microseconds of the process's thread for each request`);
    console.log(partsTable(service, bare));
    console.log(`${route.name}: the service's own functions that cost most`);
    console.log(functionsTable(service));
  }
}

type Measured = ProfileParts & { readonly requests: number };

async function measure(
  { stack, account, generator, connections }: PartsOptions,
  { paths }: { readonly paths: readonly string[] },
  name: string,
  start: (profiling: readonly string[]) => Promise<{ program: Program; origin: string }>,
): Promise<Measured> {
  const folder = join(stack.folder, `profile-${name}`);
  await mkdir(folder);
  const { program, origin } = await start(profileArguments(folder));
  const load = (forSeconds: number): Promise<LoadResult> =>
    generator.ask("load", {
      origin,
      paths,
      token: account.token,
      connections,
      seconds: forSeconds,
    } satisfies LoadSettings);
  await load(warmUpSeconds);
  const from = profileClock();
  const { requests } = await load(seconds);
  const until = profileClock();
  await program.stop();
  return { ...(await readProfile(folder, { from, until })), requests };
}

function partsTable(service: Measured, bare: Measured): string {
  const names = [...new Set([...service.parts.keys(), ...bare.parts.keys()])];
  const cost = ({ parts, requests }: Measured, name: string): number =>
    (parts.get(name) ?? 0) / requests;
  const rows = names
    .map((name) => ({ name, service: cost(service, name), bare: cost(bare, name) }))
    .toSorted((one, other) => other.service - one.service);
  const large = rows.filter((row) => Math.max(row.service, row.bare) >= smallestMicroseconds);
  const small = rows.filter((row) => !large.includes(row));
  const sum = (side: "service" | "bare", of: typeof rows): number =>
    of.reduce((total, row) => total + row[side], 0);
  return table([
    ["part", "service", "bare", "more"],
    ...large.map((row) => line(row.name, row.service, row.bare)),
    line("all others", sum("service", small), sum("bare", small)),
    line("together", sum("service", rows), sum("bare", rows)),
  ]);
}

function line(name: string, service: number, bare: number): (string | number)[] {
  return [name, ...[service, bare, service - bare].map((value) => value.toFixed(1))];
}

function functionsTable({ functions, requests }: Measured): string {
  const rows = [...functions]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, shownFunctions)
    .map(([name, took]) => [name, round(took / requests, 1)]);
  return table([["function", "µs"], ...rows]);
}
