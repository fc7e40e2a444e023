import { verifyWebhook } from "@cardvault/client";
import type { VaultEvent } from "@cardvault/client";
import type { ReceivedRequest } from "@cardvault/testkit";

/** The events of these requests, each verified by its header and raw bytes alone. */
export function verified(requests: readonly ReceivedRequest[], secret: string): VaultEvent[] {
  return requests.map(({ body, headers }) =>
    verifyWebhook(body, headers["x-vault-signature"] as string | undefined, secret),
  );
}

/** What happened to one card, each event once, in the order of the steps: ids ascend. */
export function stepsOf(events: readonly VaultEvent[], cardId: string): unknown[] {
  const own = new Map(
    events.filter((event) => subjectOf(event) === cardId).map((event) => [event.id, event]),
  );
  return [...own.values()]
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ event, data }) => {
      const { card_id: _, ...facts } = data as { card_id: string };
      return { event, ...facts };
    });
}

/** The card that an event tells of; undefined for events of other things. */
export function subjectOf({ data }: VaultEvent): string | undefined {
  return "card_id" in data && data.card_id !== null ? data.card_id : undefined;
}
