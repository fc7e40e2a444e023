import { newUuid } from "../../parts/new-uuid.ts";

const runKey = (accountId: string): string => `vault.run.${accountId}`;
/** The document before a reload may hold its lock a moment longer. */
const ownWaitMs = 1_000;

/** Under which a run keeps what it has to send, what was refused, and what is on its till. */
export function storageKeysOf(accountId: string, runId: string) {
  const key = `${storedPrefix(accountId)}${runId}`;
  return {
    scans: `${key}.scans`,
    refused: `${key}.refused`,
    sales: `${key}.sales`,
    till: `${key}.till`,
  };
}
const storedPrefix = (accountId: string): string => `vault.move.${accountId}.`;

/**
 * Which run this tab scans in, and the runs of closed tabs that still have something to send. Two tabs
 * never send for one run: each holds a lock by its run's name.
 */
export async function claimRuns(
  accountId: string,
): Promise<{ own: string; left: readonly string[] }> {
  const before = readOwn(accountId);
  const own = before !== null && (await isFree(before, ownWaitMs)) ? before : null;
  const left: string[] = [];
  for (const runId of storedRuns(accountId)) {
    if (runId !== before && (await isFree(runId, 0))) left.push(runId);
  }
  if (own !== null) return { own, left };
  const [taken, ...others] = left;
  if (taken === undefined) return { own: await newRun(accountId), left };
  writeOwn(accountId, taken);
  return { own: taken, left: others };
}

export async function newRun(accountId: string): Promise<string> {
  const runId = newUuid();
  await isFree(runId, 0);
  writeOwn(accountId, runId);
  return runId;
}

function readOwn(accountId: string): string | null {
  try {
    return sessionStorage.getItem(runKey(accountId));
  } catch {
    return null;
  }
}

function writeOwn(accountId: string, runId: string): void {
  try {
    sessionStorage.setItem(runKey(accountId), runId);
  } catch {
    // A reload begins another run then.
  }
}

function storedRuns(accountId: string): string[] {
  const prefix = storedPrefix(accountId);
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return [...new Set(keys.map((key) => key.slice(prefix.length).split(".")[0] ?? ""))];
  } catch {
    return [];
  }
}

/** Takes a run's lock for as long as the tab lives. Without locks a browser is taken to have one tab. */
async function isFree(runId: string, waitMs: number): Promise<boolean> {
  if (!("locks" in navigator)) return true;
  const options = waitMs === 0 ? { ifAvailable: true } : { signal: AbortSignal.timeout(waitMs) };
  return new Promise((resolve) => {
    navigator.locks
      .request(`vault.run.${runId}`, options, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise(() => undefined);
      })
      .catch(() => resolve(false));
  });
}
