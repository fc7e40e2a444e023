import type { Job, LiveMessage } from "@cardvault/contract";
import type { QueryKey } from "@tanstack/react-query";
import { queryClient, trpc } from "./trpc.ts";

/** A job that changes thousands of cards tells of it ten times a second; a list is asked for again once. */
const restMs = 1_000;

/** What is made of cards, beside themselves. */
const ofCards = new Set([
  "cards",
  "batches",
  "listings",
  "locations",
  "review",
  "events",
  "sales",
  "skus",
]);

interface Changed {
  readonly cards: Set<string>;
  readonly batches: Set<string>;
  readonly listings: Set<string>;
  /** Too much has changed to be named. */
  isAll: boolean;
}

let waiting: Changed | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let flushedAtMs = Number.NEGATIVE_INFINITY;

/** Has what is shown asked for again, as far as the message says that it has changed. */
export function applyLive(message: LiveMessage): void {
  switch (message.type) {
    case "connected":
      return;
    case "changed":
      gather(message);
      return;
    case "jobs":
      keepJobs(message.jobs);
      return;
    case "counters":
      invalidatePath(["notices"]);
      // What the account was told of an endpoint stands there too.
      invalidatePath(["webhooks", "endpoints", "timeline"]);
      invalidatePath(["events", "dropped"]);
      invalidatePath(["accounts", "overview"]);
      invalidatePath(["accounts", "dashboard"]);
      return;
    case "access":
      void queryClient.invalidateQueries();
      return;
    case "reset":
      // A job over thousands of cards tells this again and again.
      gather({ cards: [], batches: [], listings: [] });
      if (waiting !== undefined) waiting.isAll = true;
  }
}

/** A job tells of itself ten times a second; a list is asked for again where it has another one or another end. */
function keepJobs(jobs: readonly Job[]): void {
  let isListOther = false;
  for (const job of jobs) {
    const key = trpc.jobs.get.queryKey({ id: job.id });
    isListOther ||= queryClient.getQueryData(key)?.status !== job.status;
    queryClient.setQueryData(key, job);
  }
  const latest = new Map(jobs.map((job) => [job.id, job]));
  queryClient.setQueriesData<{ data: readonly Job[] }>(
    { queryKey: trpc.jobs.list.pathKey() },
    (list) =>
      // One that is loaded page by page has another form, and is asked for again.
      list?.data === undefined
        ? list
        : { ...list, data: list.data.map((job) => latest.get(job.id) ?? job) },
  );
  if (isListOther) invalidatePath(["jobs", "list"]);
}

/** Nothing of another account's is to be applied to this one. */
export function forgetLive(): void {
  clearTimeout(timer);
  timer = undefined;
  waiting = undefined;
}

type CardsListener = (ids: ReadonlySet<string> | "all") => void;
const cardsListeners = new Set<CardsListener>();

/** Tells which cards have changed, to whoever keeps them in another way than by queries. */
export function onCardsChanged(listener: CardsListener): () => void {
  cardsListeners.add(listener);
  return () => cardsListeners.delete(listener);
}

/** The first word of the keys of ordered lists, which change by hand alone. */
export const orderKey = "card-order";

function gather(changed: Record<"cards" | "batches" | "listings", readonly string[]>): void {
  waiting ??= { cards: new Set(), batches: new Set(), listings: new Set(), isAll: false };
  for (const id of changed.cards) waiting.cards.add(id);
  for (const id of changed.batches) waiting.batches.add(id);
  for (const id of changed.listings) waiting.listings.add(id);
  timer ??= setTimeout(flush, Math.max(0, flushedAtMs + restMs - performance.now()));
}

function flush(): void {
  const changed = waiting;
  forgetLive();
  if (changed === undefined) return;
  flushedAtMs = performance.now();
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      changed.isAll ? queryKey[0] !== orderKey : isTouched(queryKey, changed),
  });
  if (!changed.isAll && changed.cards.size === 0) return;
  for (const listener of cardsListeners) listener(changed.isAll ? "all" : changed.cards);
}

function isTouched([path, details]: QueryKey, changed: Changed): boolean {
  if (!Array.isArray(path)) return false;
  const [room, name] = path as string[];
  if (room === "accounts") return name === "overview" || name === "dashboard";
  if (room === undefined || !ofCards.has(room)) return false;
  if (name !== "get") return true;
  const id = (details as { input?: { id?: unknown } } | undefined)?.input?.id;
  const all = [changed.cards, changed.batches, changed.listings];
  // A batch's counts are its cards'.
  return room === "batches" || all.some((ids) => ids.has(String(id)));
}

function invalidatePath(path: readonly string[]): void {
  void queryClient.invalidateQueries({ queryKey: [path] });
}
