import type { Card } from "@cardvault/contract";
import { trpcClient } from "../app/trpc.ts";
import { offerUndo } from "./undo.tsx";
import type { Offer } from "./undo.tsx";
import { counted } from "./words.ts";

/**
 * Offers to take back the change that made a card what it is now: the answer of `cards.update`.
 * @param onUndone is given the card as it is then
 */
export function offerCardUndo(
  message: string,
  { id, updated_at }: Pick<Card, "id" | "updated_at">,
  onUndone: (card: Card) => void,
): Offer {
  return offerUndo({
    message,
    async undo() {
      const { card, events_sent } = await trpcClient.cards.undoChange.mutate({
        id,
        at: updated_at,
      });
      onUndone(card);
      if (events_sent.length === 0) return undefined;
      return `Undone. ${counted(events_sent.length, "event")} already sent ${events_sent.length === 1 ? "stays" : "stay"} sent.`;
    },
  });
}
