import type { Card, Job, LiveMessage } from "@cardvault/contract";
import type { InfiniteData, Query, QueryKey } from "@tanstack/react-query";
import { queryClient, trpc, trpcClient } from "./trpc.ts";

/** A job that changes thousands of cards tells of it ten times a second; a list is asked for again once. */
const restMs = 1_000;
/** Of a list that was scrolled through so many rows are asked for again; of more, the whole list. */
const mostPatched = 40;

/** What is made of cards, beside themselves. */
const ofCards = new Set(["cards", "batches", "listings", "locations", "review", "events"]);

interface Changed {
  readonly cards: Set<string>;
  readonly batches: Set<string>;
  readonly listings: Set<string>;
}
type CardPages = InfiniteData<{ data: readonly Card[] }>;

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
      invalidatePath(["events", "dropped"]);
      invalidatePath(["accounts", "overview"]);
      return;
    case "access":
    case "reset":
      void queryClient.invalidateQueries();
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

function gather({ cards, batches, listings }: Extract<LiveMessage, { type: "changed" }>): void {
  waiting ??= { cards: new Set(), batches: new Set(), listings: new Set() };
  for (const id of cards) waiting.cards.add(id);
  for (const id of batches) waiting.batches.add(id);
  for (const id of listings) waiting.listings.add(id);
  timer ??= setTimeout(flush, Math.max(0, flushedAtMs + restMs - performance.now()));
}

function flush(): void {
  const changed = waiting;
  forgetLive();
  if (changed === undefined) return;
  flushedAtMs = performance.now();
  void queryClient.invalidateQueries({
    predicate: (query) => isTouched(query.queryKey, changed) && !patches(query, changed.cards),
  });
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

/** A list that was scrolled through keeps its pages, and its rows are put in anew. */
function patches(query: Query, ids: ReadonlySet<string>): boolean {
  const [path] = query.queryKey;
  if (!Array.isArray(path) || path.join(".") !== "cards.list" || !query.isActive()) return false;
  const pages = (query.state.data as CardPages | undefined)?.pages ?? [];
  const shown = pages.flatMap(({ data }) => data.filter(({ id }) => ids.has(id)));
  if (pages.length < 2 || shown.length > mostPatched) return false;
  void Promise.all(shown.map(({ id }) => trpcClient.cards.get.query({ id }))).then((cards) => {
    const newest = new Map(cards.map((card) => [card.id, card]));
    queryClient.setQueryData<CardPages>(
      query.queryKey,
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            data: page.data.map((card) => newest.get(card.id) ?? card),
          })),
        },
    );
  });
  return true;
}

function invalidatePath(path: readonly string[]): void {
  void queryClient.invalidateQueries({ queryKey: [path] });
}
