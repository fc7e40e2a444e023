import type { Card, ReviewItem } from "@cardvault/contract";
import { trpcClient } from "../../app/trpc.ts";
import type { Decision } from "./queue-state.ts";

/** What the service holds for one reviewer at once. */
export const mostHeld = 6;

/** Whether a card needs no review any more. */
export async function isSettled({ card }: ReviewItem): Promise<boolean> {
  const now = await trpcClient.cards.get.query({ id: card.id }).catch(() => null);
  return now !== null && !now.needs_review;
}

/** Lets cards go; where it does not arrive, the locks end by themselves. */
export function release(items: readonly ReviewItem[]): void {
  const card_ids = items.map(({ card }) => card.id).slice(0, mostHeld);
  if (card_ids.length === 0) return;
  trpcClient.review.release.mutate({ card_ids }).catch(() => undefined);
}

/** @throws what the service says */
export async function sendDecision(item: ReviewItem, decision: Decision): Promise<Card> {
  const { card, identification_id: identificationId } = item;
  const about = { card_id: card.id, version: card.version };
  switch (decision.type) {
    case "accept": {
      const choice =
        decision.candidate === null || identificationId === null
          ? {}
          : {
              choice: { identification_id: identificationId, candidate: decision.candidate },
            };
      return (await trpcClient.review.accept.mutate({ ...about, ...choice })).card;
    }
    case "correct":
      return (await trpcClient.review.correct.mutate({ ...about, fields: decision.fields })).card;
    case "skip":
      return (await trpcClient.review.skip.mutate({ card_id: card.id })).card;
  }
}

/** A card that was taken back, with its candidates as they were shown, or as they are kept. */
export async function itemOf(card: Card, known: ReviewItem | undefined): Promise<ReviewItem> {
  if (known !== undefined) return { ...known, card };
  const { data } = await trpcClient.identifications.list.query({ card_id: card.id, limit: 1 });
  const latest = data[0];
  return {
    card,
    identification_id: latest?.id ?? null,
    candidates: latest?.candidates ?? [],
    fields: latest?.fields ?? [],
    locked_until: card.updated_at,
  };
}
