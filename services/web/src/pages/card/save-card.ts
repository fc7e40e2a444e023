import type { Card, CardPatch } from "@cardvault/contract";
import { isSignInRequired, problemOf } from "../../app/problem.ts";
import { noteSessionEnded } from "../../app/session-ended.ts";
import { ifVersion, queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { isSameValue } from "../../parts/card-fields-model.ts";
import type { CardFieldName, CardValues } from "../../parts/card-fields-model.ts";

/** What is changed on a card's page. */
export type CardMember = CardFieldName | "workflow_status";
/** Of the member that it goes with: a stage is one of the texts. */
export type MemberValue = CardValues[CardFieldName];

/** Somebody wrote another value of the member meanwhile: both are shown, and the person chooses. */
export class StaleMember extends Error {
  override readonly name = "StaleMember";
  readonly latest: Card;

  constructor(latest: Card) {
    super("The member was changed meanwhile");
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
 * Writes one member of a card, as it was shown when the edit began. A change of the others by somebody else
 * is no obstacle; one of this member is not overwritten.
 * @throws StaleMember; what the service says
 */
export async function saveMember(base: Card, name: CardMember, value: MemberValue): Promise<Card> {
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
      if (!isSame(latest, base, name)) throw new StaleMember(latest);
      version = latest.version;
    }
  }
}

function isSame(one: Card, other: Card, name: CardMember): boolean {
  return name === "workflow_status"
    ? one.workflow_status === other.workflow_status
    : isSameValue(name, one[name], other[name]);
}
