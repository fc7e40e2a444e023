import { openPackedIds } from "@cardvault/contract";
import type { CardFilter, PackedIds } from "@cardvault/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { relevance } from "@cardvault/contract";
import type { InventoryOrder } from "../app/inventory-search.ts";
import { queryClient, trpcClient } from "../app/trpc.ts";
import type { FarBlocks } from "./card-order-join.ts";

const blockSize = 1_000;
const keptMs = 10 * 60_000;
const nothing: ReadonlyMap<number, PackedIds> = new Map();

/**
 * What lies behind the first hundred thousand cards of a list: where its blocks begin is asked for in the
 * background, and the ids of each when somebody comes to it.
 * @param next where the list goes on; null where it has ended
 */
export function useFarBlocks(
  key: readonly unknown[],
  asked: { filter: CardFilter; sort?: InventoryOrder },
  next: string | null,
): { blocks: FarBlocks; isWhole: boolean; isCut: boolean; error: unknown } {
  const { filter, sort } = asked;
  const anchors = useQuery({
    queryKey: [...key, "anchors", next],
    queryFn: ({ signal }) =>
      trpcClient.cards.anchors.query(
        {
          filter,
          after: next ?? "",
          every: blockSize,
          ...(sort === undefined || sort === relevance ? {} : { sort }),
        },
        { signal },
      ),
    enabled: next !== null && sort !== relevance,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
    structuralSharing: false,
  });
  const list = JSON.stringify([key, next]);
  const [come, setCome] = useState<{ list: string; blocks: ReadonlyMap<number, PackedIds> }>({
    list,
    blocks: nothing,
  });
  const [wanted, setWanted] = useState<readonly number[]>([]);
  const known = come.list === list ? come.blocks : nothing;
  const { data } = anchors;
  const starts = useMemo(() => (data === undefined ? [] : [next, ...data.anchors]), [data, next]);

  useEffect(() => {
    let isCurrent = true;
    for (const block of wanted) {
      const after = starts[block];
      if (after === undefined || after === null || known.has(block)) continue;
      void queryClient
        .fetchQuery({
          queryKey: [...key, "block", after],
          queryFn: ({ signal }) =>
            trpcClient.cards.ids.query({ ...asked, after, limit: blockSize }, { signal }),
          staleTime: Number.POSITIVE_INFINITY,
          gcTime: keptMs,
        })
        .then(({ ids }) => {
          if (!isCurrent) return;
          const opened = openPackedIds("card", ids);
          setCome((before) => ({
            list,
            blocks: new Map(before.list === list ? before.blocks : nothing).set(block, opened),
          }));
        })
        // Whoever scrolls on or back asks again.
        .catch(() => undefined);
    }
    return () => {
      isCurrent = false;
    };
    // Its key says everything that is asked for.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, starts, known, list]);

  const blocks = useMemo<FarBlocks>(
    () => ({
      size: blockSize,
      count: data?.count ?? 0,
      at: (block) => known.get(block),
      need(block) {
        if (known.has(block)) return;
        setWanted((before) => (before.includes(block) ? before : [...before.slice(-3), block]));
      },
    }),
    [data, known],
  );
  return {
    blocks,
    isWhole: next === null || data !== undefined,
    isCut: data?.is_cut === true,
    error: anchors.error,
  };
}
