import { readdir, readFile } from "node:fs/promises";

/** The words of /proc/ID/stat after the name, or undefined where there is no such process. */
export async function statOf(processId: number): Promise<string[] | undefined> {
  const stat = await readFile(`/proc/${processId}/stat`, "utf8").catch(() => "");
  // The name, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.length < 15 ? undefined : fields;
}

/** The processes that this one started and that still run. Read from /proc, so empty where there is none. */
export async function childrenOf(processId: number): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(ids.map(statOf));
  return ids.filter((_, index) => Number(stats[index]?.[1]) === processId);
}

/** `kill -9` of a process and of all that it started, at the same moment. */
export async function killTree(processId: number): Promise<void> {
  for (const id of [processId, ...(await childrenOf(processId))]) {
    try {
      process.kill(id, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** Memory that a process holds now and the most it has held, in MB (Linux). */
export async function memoryMb(processId: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${processId}/status`, "utf8").catch(() => "");
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}
