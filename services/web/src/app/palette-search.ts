import type { Batch, CardRow, LocationSuggestions } from "@cardvault/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc, trpcClient } from "./trpc.ts";

const shown = 5;
/** Batches have no search of their own: the latest ones are looked through. */
const batchesSearched = 200;
const staleMs = 60_000;

export interface Found {
  cards: readonly CardRow[];
  batches: readonly Batch[];
  places: LocationSuggestions["data"];
}

const nothing: Found = { cards: [], batches: [], places: [] };

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
    trpc.batches.list.queryOptions(
      { limit: batchesSearched },
      { enabled: isAsked, staleTime: staleMs },
    ),
  );
  const places = useQuery(
    trpc.locations.suggest.queryOptions(
      { text, limit: shown },
      { enabled: isAsked, placeholderData: keepPreviousData },
    ),
  );
  if (!isAsked) return nothing;
  const word = text.toLowerCase();
  return {
    cards: cards.data ?? [],
    batches: (batches.data?.data ?? [])
      .filter(({ code, name }) => `${code} ${name}`.toLowerCase().includes(word))
      .slice(0, shown),
    places: places.data?.data ?? [],
  };
}

async function findCards(text: string, signal: AbortSignal): Promise<CardRow[]> {
  const filter = { search: text };
  const { ids, count } = await trpcClient.cards.ids.query({ filter, limit: shown }, { signal });
  if (count === 0) return [];
  const { data } = await trpcClient.cards.rows.query({ ids }, { signal });
  return data;
}
