import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The part of a V8 profile that is read here. Times are microseconds of the monotonic clock. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Node's arguments for a program that writes a profile into the folder when it ends. */
export function profileArguments(folder: string): string[] {
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=500"];
}

/** The clock of profiles, for the span that is of interest. */
export function profileClock(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

export interface ProfileSpan {
  readonly from: number;
  readonly until: number;
}

/** Microseconds of the main thread's own time within a span, by part and by function. */
export interface ProfileParts {
  readonly parts: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  readonly busyMicroseconds: number;
}

/** Reads the profile that a program left in the folder. */
export async function readProfile(folder: string, span: ProfileSpan): Promise<ProfileParts> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".cpuprofile"));
  const [file] = files;
  if (file === undefined) throw new Error(`No profile was written into ${folder}`);
  const profile = JSON.parse(await readFile(join(folder, file), "utf8")) as CpuProfile;
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let time = profile.startTime;
  let busyMicroseconds = 0;
  for (const [index, sample] of profile.samples.entries()) {
    const took = profile.timeDeltas[index] ?? 0;
    time += took;
    const frame = frames.get(sample);
    if (frame === undefined || time < span.from || time > span.until) continue;
    if (frame.functionName === "(idle)") continue;
    busyMicroseconds += took;
    const part = partOf(frame.functionName, frame.url);
    parts.set(part, (parts.get(part) ?? 0) + took);
    const name = `${frame.functionName || "(anonymous)"} ${shortUrl(frame.url)}:${frame.lineNumber + 1}`;
    functions.set(name, (functions.get(name) ?? 0) + took);
  }
  return { parts, functions, busyMicroseconds };
}

/** Packages that are one thing to whoever reads the table. */
const families: readonly [RegExp, string][] = [
  [/^pg(-|$)|^postgres-/, "pg: driver, protocol, pool"],
  [/^@trpc\//, "tRPC"],
  [/^zod$/, "zod: input and output checks"],
  [/^(@?fastify|find-my-way|avvio|light-my-request|fast-)/, "Fastify"],
  [/^(@mikro-orm\/|kysely)/, "MikroORM"],
  [/^undici$/, "undici"],
  [/^(agenda|@agendajs\/)/, "Agenda"],
  [/^(mongodb|bson)/, "mongodb driver"],
];

/** Which part of the house a frame belongs to. */
export function partOf(functionName: string, url: string): string {
  if (functionName === "(garbage collector)") return "garbage collection";
  if (url === "") return "native: sockets, JSON, system calls";
  const ours = /\/((?:libs|services|tools)\/[\w-]+)\/(?:src|[\w-]+)\/(?:(\w[\w-]*)\/)?/.exec(url);
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (dependency !== undefined) {
    return families.find(([pattern]) => pattern.test(dependency))?.[1] ?? dependency;
  }
  if (ours !== null) return ours[2] === undefined ? `${ours[1]}` : `${ours[1]}/${ours[2]}`;
  const [, internal = "other"] = /^node:(?:internal\/)?([a-z_]+)/.exec(url) ?? [];
  if (/^_?(http|net|stream|tls|socket)/.test(internal)) return "node: http, net, streams";
  return `node: ${internal}`;
}

function shortUrl(url: string): string {
  return url.replace(/^.*\/node_modules\//, "").replace(/^file:.*\/(libs|services|tools)\//, "$1/");
}
