import { openPackedIds } from "@cardvault/contract";
import type { CardFilter, PackedIds } from "@cardvault/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { InventoryOrder } from "../app/inventory-search.ts";
import { useAccountId } from "../app/account.ts";
import { orderKey } from "../app/live-cache.ts";
import { alone, queryClient, trpcClient } from "../app/trpc.ts";
import { joined } from "./card-order-join.ts";
import { useFarBlocks } from "./card-order-far.ts";
import { blockSize, cardRows } from "./card-rows.ts";

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
  /** The place of an id among those that have come, or -1. */
  indexOf(id: string): number;
  /** Has the ids of a stretch loaded that have not come; of a list that is not very long all have. */
  need(start: number, end: number): void;
}

interface Part {
  readonly ids: PackedIds;
  readonly next: string | null;
  readonly isCut: boolean;
}

async function askFor(
  input: {
    filter: CardFilter;
    sort?: InventoryOrder;
    limit?: number;
    after?: string;
    rows?: number;
  },
  signal: AbortSignal,
): Promise<Part> {
  const { ids, next, is_cut } = await cardRows().take(() =>
    trpcClient.cards.ids.query(input, { signal, ...alone }),
  );
  return { ids: openPackedIds("card", ids), next, isCut: is_cut };
}

/**
 * The ordered ids of a list: a first part at once, the rest behind it up to 101,000, and what lies farther by
 * blocks, each when somebody comes to it. Asked for when the filter or the sort changes and by `refresh`, and
 * never by itself: nothing moves under the hand.
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
    // With the rows of its first screen, so that they need no second way.
    queryFn: ({ signal }) => askFor({ ...asked, limit: firstIds, rows: blockSize }, signal),
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
  const far = useFarBlocks(key, asked, restPart?.next ?? null);
  const order = useMemo(
    () =>
      joined(
        [firstPart, restPart].flatMap((part) => (part === undefined ? [] : [part.ids])),
        far.blocks,
      ),
    [firstPart, restPart, far.blocks],
  );
  return {
    order,
    isPending: first.isPending,
    isRefreshing: first.isFetching,
    /** False while the rest of a long list is on its way. */
    isWhole:
      first.data !== undefined && (after === null || (rest.data !== undefined && far.isWhole)),
    /** There are more cards than one list holds: a search shows its best, any other its first. */
    isCut: first.data?.isCut === true || far.isCut,
    error: first.error ?? rest.error ?? far.error,
    /** When its order was made, in ms. */
    askedAt: first.dataUpdatedAt,
    refresh: () => queryClient.resetQueries({ queryKey: key }),
  };
}
