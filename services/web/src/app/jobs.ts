import type { Job } from "@cardvault/contract";
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { isUnderWay } from "../parts/job-words.ts";
import { queryClient, trpc, trpcClient } from "./trpc.ts";

/** Live messages say it at once; this is for when there are none. */
const followEveryMs = 2_000;

/** A job as it stands, followed until its end. @param known as a list has it, to begin with */
export function useJob(id: string, known?: Job) {
  return useQuery(
    trpc.jobs.get.queryOptions(
      { id },
      {
        ...(known === undefined ? {} : { initialData: known, staleTime: Infinity }),
        refetchInterval: ({ state }) =>
          state.data === undefined || isUnderWay(state.data) ? followEveryMs : false,
      },
    ),
  );
}

/** The jobs that this tab has begun, whose end it is told. */
let followed: readonly string[] = [];
const told = new Set<string>();
const listeners = new Set<() => void>();

function set(ids: readonly string[]): void {
  followed = ids;
  for (const listener of listeners) listener();
}

/** Shows a job in the tray of every page, tells of its end, and offers to undo it then. */
export function followJob(job: Job): void {
  keepJob(job);
  // One that is tried again has another end.
  told.delete(job.id);
  set([...followed.filter((id) => id !== job.id), job.id]);
  void queryClient.invalidateQueries({ queryKey: trpc.jobs.list.pathKey() });
}

/** Whether the end of a job has not been told yet; from now on it has. */
export function isFirstTold(id: string): boolean {
  if (told.has(id)) return false;
  told.add(id);
  return true;
}

/** Takes it out of the tray. */
export function dismissJob(id: string): void {
  set(followed.filter((one) => one !== id));
}

export function forgetJobs(): void {
  set([]);
  showJobs(false);
}

export function useFollowedJobs(): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => followed,
  );
}

/** Whether the account's recent jobs are shown beside the page: opened from the tray and the palette. */
let isDrawerOpen = false;
const drawerListeners = new Set<() => void>();

export function showJobs(isShown: boolean): void {
  isDrawerOpen = isShown;
  for (const listener of drawerListeners) listener();
}

export function useAreJobsShown(): boolean {
  return useSyncExternalStore(
    (listener) => {
      drawerListeners.add(listener);
      return () => drawerListeners.delete(listener);
    },
    () => isDrawerOpen,
  );
}

/** The latest of what is known of a job, for whoever shows it. */
export function keepJob(job: Job): void {
  queryClient.setQueryData(trpc.jobs.get.queryKey({ id: job.id }), job);
}

/** Begins to give each card back what the job replaced. @throws what the service says */
export async function undoJob(id: string): Promise<Job> {
  const undo = await trpcClient.bulk.undo.mutate({ id, idempotency_key: `undo-${id}` });
  followJob(undo);
  return undo;
}
