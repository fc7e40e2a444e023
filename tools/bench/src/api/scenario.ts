import { join } from "node:path";
import { freePort } from "@cardvault/postgres";
import { openAccount } from "../stack/account.ts";
import type { BenchAccount } from "../stack/account.ts";
import { cpuSeconds } from "../stack/cpu-time.ts";
import type { Program } from "../stack/programs.ts";
import { seedCards, someCards } from "../stack/seed-cards.ts";
import { withStack } from "../stack/stack.ts";
import type { Stack } from "../stack/stack.ts";
import type { Figures, Scenario } from "../scenario.ts";
import { median, round } from "../statistics.ts";
import type { BareSettings } from "./bare-server.ts";
import type { LoadResult, LoadSettings } from "./load-generator.ts";
import { printParts } from "./parts.ts";

const cards = 100_000;
const connections = 10;
const rounds = 12;
const defaultSeconds = 1;
const warmUpSeconds = 3;
const differentCards = 1_000;

interface Route {
  readonly name: "list" | "card";
  readonly paths: readonly string[];
}

interface Side {
  readonly origin: string;
  readonly processId: number;
}

interface Sides {
  readonly service: Side;
  readonly bare: Side;
}

export const apiScenario: Scenario = {
  name: "api",
  sentence: "GET /cards and GET /cards/:id of the whole service against a bare Fastify route",
  run: ({ store, seconds = defaultSeconds }) =>
    withStack(store, async (stack) => {
      const account = await openAccount(stack.services, "Bench");
      const { accountId } = account;
      console.log(`Writing ${cards} cards`);
      await seedCards({ databaseUrl: stack.databaseUrl, accountId, cards });
      const stages = ["imported", "identified", "priced", "photographed", "archived"];
      const ids = await someCards(stack.databaseUrl, accountId, differentCards, stages);
      const routes: Route[] = [
        { name: "list", paths: ["/cards?limit=50"] },
        { name: "card", paths: ids.map((id) => `/cards/${id}`) },
      ];
      const generator = await stack.start({ file: join(import.meta.dirname, "load-generator.ts") });

      const api = await stack.startApi();
      const bare = await startBare(stack, account, api.publicUrl);
      const sides: Sides = {
        service: { origin: api.publicUrl, processId: api.processId },
        bare: { origin: bare.origin, processId: bare.program.processId },
      };
      for (const route of routes) await requireSameBytes(sides, account, route);
      const figures: Figures = {};
      for (const route of routes) {
        Object.assign(figures, await compare(generator, sides, account, route, seconds));
      }
      await Promise.all([api.stop(), bare.program.stop()]);
      await printParts({ stack, account, generator, routes, connections, startBare });
      return {
        figures: { ...figures, cards, connections },
        goals: [
          { figure: "list_ratio", atLeast: 0.6 },
          { figure: "card_ratio", atLeast: 0.5 },
        ],
      };
    }),
};

async function startBare(
  stack: Stack,
  { accountId }: BenchAccount,
  publicUrl: string,
  nodeArguments?: readonly string[],
): Promise<{ program: Program; origin: string }> {
  const port = await freePort();
  const settings: BareSettings = {
    databaseUrl: stack.databaseUrl,
    port,
    publicUrl,
    accountId,
    currency: "USD",
    encryptionKey: stack.encryptionKeys,
  };
  const file = join(import.meta.dirname, "bare-server.ts");
  const program = await stack.start({ file, settings, nodeArguments });
  return { program, origin: `http://127.0.0.1:${port}` };
}

/** A comparison of servers that answer different things would say nothing. */
async function requireSameBytes(
  sides: Sides,
  { token }: BenchAccount,
  { name, paths }: Route,
): Promise<void> {
  let bytes = 0;
  for (const path of paths) {
    const headers = { authorization: `Bearer ${token}` };
    const [service, bare] = await Promise.all(
      [sides.service, sides.bare].map(async ({ origin }) => {
        const response = await fetch(`${origin}${path}`, { headers });
        return { status: response.status, body: await response.text() };
      }),
    );
    if (service?.status !== 200 || service.body !== bare?.body) {
      throw new Error(
        `${path}: the answers differ\n${service?.status} ${service?.body}\n${bare?.status} ${bare?.body}`,
      );
    }
    bytes += Buffer.byteLength(service.body);
  }
  console.log(
    `${name}: ${paths.length} paths answer the same bytes on both sides, ${round(bytes / paths.length)} on average`,
  );
}

/**
 * Runs both sides in turn, several times: on a machine that others use too, each pair of runs saw about
 * the same neighbours, so the ratio is taken of each pair and the median of the ratios counts.
 */
async function compare(
  generator: Program,
  { service, bare }: Sides,
  { token }: BenchAccount,
  { name, paths }: Route,
  seconds: number,
): Promise<Figures> {
  const load = async (side: Side, forSeconds: number): Promise<Run> => {
    const { origin, processId } = side;
    const before = await cpuSeconds(processId);
    const settings: LoadSettings = { origin, paths, token, connections, seconds: forSeconds };
    const result = await generator.ask<LoadResult>("load", settings);
    const cpu = (await cpuSeconds(processId)) - before;
    return { ...result, cpuMicroseconds: (cpu * 1e6) / result.requests };
  };
  await load(service, warmUpSeconds);
  await load(bare, warmUpSeconds);
  const pairs: { service: Run; bare: Run }[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    const pair = { service: await load(service, seconds), bare: await load(bare, seconds) };
    pairs.push(pair);
    console.log(
      `${name} ${number}: service ${pair.service.requestsPerSecond.toFixed(0)}/s, bare ${pair.bare.requestsPerSecond.toFixed(0)}/s, ratio ${ratioOf(pair).toFixed(3)}`,
    );
  }
  const of = (side: "service" | "bare", figure: keyof Run): number =>
    median(pairs.map((pair) => pair[side][figure]));
  return {
    [`${name}_ratio`]: round(median(pairs.map(ratioOf)), 3),
    [`${name}_per_s`]: round(of("service", "requestsPerSecond")),
    [`${name}_bare_per_s`]: round(of("bare", "requestsPerSecond")),
    [`${name}_p50_ms`]: of("service", "p50Ms"),
    [`${name}_p99_ms`]: of("service", "p99Ms"),
    [`${name}_bare_p50_ms`]: of("bare", "p50Ms"),
    [`${name}_bare_p99_ms`]: of("bare", "p99Ms"),
    [`${name}_cpu_us`]: round(of("service", "cpuMicroseconds")),
    [`${name}_bare_cpu_us`]: round(of("bare", "cpuMicroseconds")),
  };
}

/** A run, and the processor time of the server's process for each request. */
type Run = LoadResult & { readonly cpuMicroseconds: number };

function ratioOf({ service, bare }: { service: Run; bare: Run }): number {
  return service.requestsPerSecond / bare.requestsPerSecond;
}
