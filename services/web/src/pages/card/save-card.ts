import type { Card, CardPatch } from "@cardvault/contract";
import { isSignInRequired, problemOf } from "../../app/problem.ts";
import { noteSessionEnded } from "../../app/session-ended.ts";
import { ifVersion, queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { isSameValue } from "../../parts/card-fields-model.ts";
import type { CardFieldName, CardValues } from "../../parts/card-fields-model.ts";
import { offerCardUndo } from "../../parts/undo-card.ts";

/** Somebody wrote another value of the field meanwhile: both are shown, and the person chooses. */
export class StaleField extends Error {
  override readonly name = "StaleField";
  readonly latest: Card;

  constructor(latest: Card) {
    super("The field was changed meanwhile");
    this.latest = latest;
  }
}

/** A card that others change every second is nobody's to edit. */
const mostTries = 4;

/** A card as it is now, for all that is shown of it. */
export function keepCard(card: Card): void {
  queryClient.setQueryData(trpc.cards.get.queryKey({ id: card.id }), card);
  void queryClient.invalidateQueries({ queryKey: trpc.cards.history.pathKey() });
}

/**
 * Writes one field of a card, as it was shown when the edit began. A change of the others by somebody else
 * is no obstacle; one of this field is not overwritten.
 * @throws StaleField; what the service says
 */
export async function saveField(
  base: Card,
  name: CardFieldName,
  value: CardValues[CardFieldName],
): Promise<Card> {
  const patch = { [name]: value } as CardPatch;
  let version = base.version;
  for (let tries = 1; ; tries += 1) {
    try {
      const card = await trpcClient.cards.update.mutate(
        { id: base.id, ...patch },
        ifVersion(version),
      );
      keepCard(card);
      return card;
    } catch (error) {
      if (isSignInRequired(error)) noteSessionEnded();
      if (problemOf(error).code !== "precondition_failed" || tries === mostTries) throw error;
      const latest = await trpcClient.cards.get.query({ id: base.id });
      keepCard(latest);
      if (!isSameValue(name, latest[name], base[name])) throw new StaleField(latest);
      version = latest.version;
    }
  }
}

/** Changes a card by one of its other actions, and offers to take that back. @throws what the service says */
export async function changeCard(card: Card, patch: CardPatch, message: string): Promise<Card> {
  const changed = await trpcClient.cards.update.mutate(
    { id: card.id, ...patch },
    ifVersion(card.version),
  );
  keepCard(changed);
  offerCardUndo(message, changed, keepCard);
  return changed;
}
