import { useInfiniteQuery } from "@tanstack/react-query";
import { timeRangeOf } from "../../app/search.ts";
import type { TimeSearch } from "../../app/search.ts";

const pageSize = 50;
const refreshMs = 4_000;

type Range = ReturnType<typeof timeRangeOf>;
type TimedInput = Range & { limit: number; cursor?: string };

/**
 * A list of what the worker adds to, within a stretch of time: asked for again every few seconds until it
 * is scrolled through, and left in peace then.
 * @param key of the list with its filters, without the time
 */
export function useTimedList<Page extends { next_cursor: string | null }>(
  key: readonly unknown[],
  time: TimeSearch,
  read: (input: TimedInput, signal: AbortSignal) => Promise<Page>,
) {
  return useInfiniteQuery({
    queryKey: [...key, time],
    queryFn: async ({ pageParam, signal }) => {
      // A cursor belongs to its list: the pages after the first keep the first one's moments.
      const range = pageParam?.range ?? timeRangeOf(time);
      const cursor = pageParam === null ? {} : { cursor: pageParam.cursor };
      const page = await read({ ...range, ...cursor, limit: pageSize }, signal);
      return { ...page, range };
    },
    initialPageParam: null as { cursor: string; range: Range } | null,
    getNextPageParam: ({ next_cursor: cursor, range }) =>
      cursor === null ? null : { cursor, range },
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refreshMs),
  });
}
