import { setTimeout as wait } from "node:timers/promises";
import { cpuTable, measureCpu } from "../stack/cpu-time.ts";
import type { CpuUse } from "../stack/cpu-time.ts";
import type { Program } from "../stack/programs.ts";
import { printStatements } from "../stack/statement-samples.ts";
import type { Figures } from "../scenario.ts";
import { round } from "../statistics.ts";
import { drain, report } from "./house.ts";
import type { House } from "./house.ts";
import type { FloodSettings, PaceSettings } from "./producer.ts";
import type { ReceiverReport, ReceiverTotals } from "./receiver.ts";

const backlog = 1_000;
const cardsPerChange = 25;
const warmUpSeconds = 3;
/** Less of a processor than this left idle means that processors are what is missing. */
const busyIdleCores = 0.2;
/** More of it than this used by programs that are not ours means that those are in the way. */
const mostOthersCores = 0.4;

/** Changes at even distances, until all of it has arrived. Answers what arrived. */
export async function pace(
  house: House,
  settings: PaceSettings,
  deadlineMs?: number,
): Promise<{ committed: number; report: ReceiverReport }> {
  await house.receiver.ask("mark");
  const committed = await house.producer.ask<number>("pace", settings);
  await drain(house, deadlineMs === undefined ? {} : { deadlineMs });
  return { committed, report: await report(house) };
}

/** So that code is compiled and connections stand. */
export function warmUp(house: House, perSecond: number): Promise<unknown> {
  return pace(house, { perSecond, seconds: warmUpSeconds });
}

export interface Sustained {
  readonly perSecond: number;
  readonly deliveries: number;
  readonly committed: number;
  readonly seconds: number;
  /** What each process used, and what was missing. */
  readonly figures: Figures;
}

/**
 * Deliveries a second in a span in which the sender always has work, and what each process spends.
 * `onSpanEnd` is called before what is left is delivered.
 */
export async function sustain(
  house: House,
  worker: Program,
  options: {
    seconds: number;
    samplesStatements: boolean;
    onSpanEnd: (span: { readonly seconds: number }) => void;
  },
): Promise<Sustained> {
  const { seconds, samplesStatements, onSpanEnd } = options;
  const { stack, receiver, producer } = house;
  const flood: FloodSettings = { seconds: seconds + warmUpSeconds, backlog, cardsPerChange };
  const flooded = producer.ask<number>("flood", flood);
  await wait(warmUpSeconds * 1_000);
  const deliveriesSoFar = async (): Promise<number> =>
    (await receiver.ask<ReceiverTotals>("totals")).deliveries;
  const first = await deliveriesSoFar();
  const processes = {
    worker: worker.processId,
    PostgreSQL: stack.postgres.processId,
    ...(stack.mongod === undefined ? {} : { MongoDB: stack.mongod.processId }),
    producer: producer.processId,
    receiver: receiver.processId,
  };
  const [use] = await Promise.all([
    measureCpu(processes, seconds),
    samplesStatements ? printStatements(stack.databaseUrl, seconds) : undefined,
  ]);
  const deliveries = (await deliveriesSoFar()) - first;
  onSpanEnd(use);
  console.log(`Processor time while ${backlog} deliveries wait:`);
  console.log(cpuTable(use, deliveries));
  const committed = await flooded;
  await drain(house);
  const cores = Object.fromEntries(
    [...use.cores].map(([name, busy]) => [`${name.toLowerCase()}_cores`, round(busy, 2)]),
  );
  return {
    perSecond: deliveries / use.seconds,
    deliveries,
    committed,
    seconds: use.seconds,
    figures: {
      ...cores,
      other_programs_cores: round(use.otherCores, 2),
      idle_cores: round(use.idleCores, 2),
      limited_by: limitOf(use),
    },
  };
}

function limitOf({ cores, otherCores, idleCores }: CpuUse): string {
  if ((cores.get("worker") ?? 0) > 1 - busyIdleCores) return "worker_thread";
  if (idleCores > busyIdleCores) return "waiting_for_disk";
  return otherCores > mostOthersCores ? "other_programs" : "processors";
}
