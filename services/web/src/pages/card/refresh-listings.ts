import { queryClient, trpc } from "../../app/trpc.ts";

/** Has asked for again what a listing of the card shows in. */
export async function refreshListings(cardId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: trpc.listings.pathKey() }),
    queryClient.invalidateQueries(trpc.cards.get.queryFilter({ id: cardId })),
    queryClient.invalidateQueries({ queryKey: trpc.cards.history.pathKey() }),
  ]);
}
