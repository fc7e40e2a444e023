import type { BatchesFound, CardRow, LocationSuggestions } from "@cardvault/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc, trpcClient } from "./trpc.ts";

const shown = 5;

export interface Found {
  cards: readonly CardRow[];
  batches: BatchesFound["data"];
  places: LocationSuggestions["data"];
  /** What could not be searched, as it is called. */
  failed: readonly string[];
  onRetry: () => void;
}

const nothing: Found = { cards: [], batches: [], places: [], failed: [], onRetry: () => undefined };

/** Cards, batches and places that a text names; nothing for none. */
export function useFound(text: string): Found {
  const isAsked = text.length > 1;
  const cards = useQuery({
    queryKey: ["palette", "cards", text],
    queryFn: ({ signal }) => findCards(text, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const batches = useQuery(
    trpc.batches.find.queryOptions(
      { text, limit: shown },
      { enabled: isAsked, placeholderData: keepPreviousData },
    ),
  );
  const places = useQuery(
    trpc.locations.suggest.queryOptions(
      { text, limit: shown },
      { enabled: isAsked, placeholderData: keepPreviousData },
    ),
  );
  if (!isAsked) return nothing;
  const failed = [
    { what: "cards", query: cards },
    { what: "batches", query: batches },
    { what: "places", query: places },
  ].filter(({ query }) => query.isError);
  return {
    cards: cards.data ?? [],
    batches: batches.data?.data ?? [],
    places: places.data?.data ?? [],
    failed: failed.map(({ what }) => what),
    onRetry() {
      for (const { query } of failed) void query.refetch();
    },
  };
}

async function findCards(text: string, signal: AbortSignal): Promise<CardRow[]> {
  const filter = { search: text };
  const { ids, count } = await trpcClient.cards.ids.query({ filter, limit: shown }, { signal });
  if (count === 0) return [];
  const { data } = await trpcClient.cards.rows.query({ ids }, { signal });
  return data;
}
