import { openPackedIds } from "@cardvault/contract";
import type { CardFilter, PackedIds } from "@cardvault/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { InventoryOrder } from "../app/inventory-search.ts";
import { useAccountId } from "../app/account.ts";
import { orderKey } from "../app/live-cache.ts";
import { queryClient, trpcClient } from "../app/trpc.ts";

/** So many ids come with the first answer, so that its rows need not wait for the rest. */
const firstIds = 1_000;
/** A list that nobody shows any more is kept for somebody who comes back to it. */
const keptMs = 10 * 60_000;

/** The cards of a list in its order, as they were when it was asked for. */
export interface CardOrder {
  /** How many places are known; more may be on their way. */
  readonly length: number;
  /** The id at a place, from 0; undefined beyond the end. */
  at(index: number): string | undefined;
  /** Ids from `start` up to and without `end`, packed for `cards.rows`; empty where there are none. */
  slice(start: number, end: number): string;
  /** The place of an id, or -1. */
  indexOf(id: string): number;
}

const nothing: CardOrder = { length: 0, at: () => undefined, slice: () => "", indexOf: () => -1 };

interface Part {
  readonly ids: PackedIds;
  readonly next: string | null;
  readonly isCut: boolean;
}

function joined(parts: readonly PackedIds[]): CardOrder {
  const [first, second] = parts;
  if (first === undefined) return nothing;
  const split = first.length;
  const length = split + (second?.length ?? 0);
  return {
    length,
    at: (index) => {
      if (index < 0 || index >= length) return undefined;
      return index < split ? first.at(index) : second?.at(index - split);
    },
    slice: (start, end) =>
      // Windows are no wider than the first part and begin at a multiple of what divides it.
      start < split
        ? first.slice(start, Math.min(end, split))
        : (second?.slice(start - split, end - split) ?? ""),
    indexOf: (id) => {
      const place = first.indexOf(id);
      if (place >= 0 || second === undefined) return place;
      const behind = second.indexOf(id);
      return behind < 0 ? -1 : split + behind;
    },
  };
}

async function askFor(
  input: { filter: CardFilter; sort?: InventoryOrder; limit?: number; after?: string },
  signal: AbortSignal,
): Promise<Part> {
  const { ids, next, is_cut } = await trpcClient.cards.ids.query(input, { signal });
  return { ids: openPackedIds("card", ids), next, isCut: is_cut };
}

/**
 * The ordered ids of a list: a first part at once, the rest behind it, up to 101,000. Asked for when the
 * filter or the sort changes and by `refresh`, and never by itself: nothing moves under the hand.
 */
export function useCardOrder(filter: CardFilter, sort: InventoryOrder | undefined) {
  const accountId = useAccountId();
  const asked = { filter, ...(sort === undefined ? {} : { sort }) };
  // A key that live changes do not know: they patch rows, and leave the order alone.
  const key = [orderKey, accountId, asked];
  const kept = {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
    structuralSharing: false,
  } as const;
  const first = useQuery({
    queryKey: [...key, "first"],
    queryFn: ({ signal }) => askFor({ ...asked, limit: firstIds }, signal),
    ...kept,
  });
  const after = first.data?.next ?? null;
  const rest = useQuery({
    queryKey: [...key, "rest", after],
    queryFn: ({ signal }) => askFor({ ...asked, after: after ?? "" }, signal),
    enabled: after !== null,
    ...kept,
  });
  const [firstPart, restPart] = [first.data, after === null ? undefined : rest.data];
  const order = useMemo(
    () => joined([firstPart, restPart].flatMap((part) => (part === undefined ? [] : [part.ids]))),
    [firstPart, restPart],
  );
  return {
    order,
    isPending: first.isPending,
    isRefreshing: first.isFetching,
    /** False while the rest of a long list is on its way. */
    isWhole: first.data !== undefined && (after === null || rest.data !== undefined),
    /** There are more cards than one list holds: a search shows its best, any other its first. */
    isCut: first.data?.isCut === true || (restPart?.next ?? null) !== null,
    error: first.error ?? rest.error,
    /** When its order was made, in ms. */
    askedAt: first.dataUpdatedAt,
    refresh: () => queryClient.resetQueries({ queryKey: key }),
  };
}
