import type { BatchesFound, CardRow, LocationSuggestions } from "@cardvault/contract";
import { useQuery } from "@tanstack/react-query";
import { trpcClient } from "./trpc.ts";

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
    placeholderData: (before, of) => (isOneTyping(of?.queryKey[2], text) ? before : undefined),
  });
  const batches = useQuery({
    queryKey: ["palette", "batches", text],
    queryFn: ({ signal }) => trpcClient.batches.find.query({ text, limit: shown }, { signal }),
    enabled: isAsked,
    staleTime: 0,
    placeholderData: (before, of) => (isOneTyping(of?.queryKey[2], text) ? before : undefined),
  });
  const places = useQuery({
    queryKey: ["palette", "places", text],
    queryFn: ({ signal }) => trpcClient.locations.suggest.query({ text, limit: shown }, { signal }),
    enabled: isAsked,
    staleTime: 0,
    placeholderData: (before, of) => (isOneTyping(of?.queryKey[2], text) ? before : undefined),
  });
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

/** What was found is shown while its text is typed on or taken back, and for no other text. */
function isOneTyping(before: string | undefined, text: string): boolean {
  return before !== undefined && (text.startsWith(before) || before.startsWith(text));
}

async function findCards(text: string, signal: AbortSignal): Promise<CardRow[]> {
  const filter = { search: text };
  const { ids, count } = await trpcClient.cards.ids.query({ filter, limit: shown }, { signal });
  if (count === 0) return [];
  const { data } = await trpcClient.cards.rows.query({ ids }, { signal });
  return data;
}
