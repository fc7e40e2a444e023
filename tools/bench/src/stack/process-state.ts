import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Probed } from "./probe.ts";
import { childrenOf, memoryMb } from "./process-tree.ts";
import type { Program } from "./programs.ts";

/** A process as it is at a moment. */
export interface ProcessState extends Probed {
  /** Files, sockets and pipes that it has open. */
  readonly descriptors: number;
  /** Resident memory of the processes that it started, in MB. */
  readonly childrenMb: number;
}

/** Node's arguments for a program that {@link readState} can ask. */
export function probeArguments(): string[] {
  const probe = pathToFileURL(join(import.meta.dirname, "probe.ts"));
  return ["--import", `${probe.href}?parent=${process.pid}`];
}

/** Has a program collect its garbage, and says what it holds. It was started with {@link probeArguments}. */
export async function readState(program: Program): Promise<ProcessState> {
  const probed = await program.ask<Probed>("probe");
  const children = await Promise.all((await childrenOf(program.processId)).map(memoryMb));
  return {
    ...probed,
    descriptors: await countDescriptors(program.processId),
    childrenMb: children.reduce((sum, { now }) => sum + (Number.isNaN(now) ? 0 : now), 0),
  };
}

/** Writes what the program's heap holds into a file, for the memory page of a browser's developer tools. */
export function writeSnapshot(program: Program, file: string): Promise<string> {
  return program.ask<string>("snapshot", file);
}

async function countDescriptors(processId: number): Promise<number> {
  const names = await readdir(`/proc/${processId}/fd`).catch(() => undefined);
  return names?.length ?? Number.NaN;
}
