import { createCard } from "@cardvault/domain";
import type { CardPatch, CardState } from "@cardvault/domain";
import { newId, systemClock, toUuid } from "@cardvault/kit";
import { changeAccount } from "./change/change-account.ts";
import { bySystem } from "./change/change-recorder.ts";
import type { Database } from "./connection/database.ts";
import { insertAccount } from "./people/accounts.ts";

/** What this room's tests begin with. */

export const photoUrl = (photoId: string, size: string): string =>
  `https://vault.example/photos/${photoId}/${size}`;

/** A new account with SKUs `00001`, `00002` … */
export async function newAccount(db: Database): Promise<string> {
  const id = newId("acc");
  await insertAccount(db, {
    id,
    name: "Shop",
    environment: "live",
    currency: "USD",
    liveAccountId: null,
    createdAt: new Date(),
  });
  return id;
}

/** A new card by the rules, with its events. */
export function addCard(
  db: Database,
  accountId: string,
  fields: Omit<CardPatch, "sku">,
): Promise<CardState> {
  return changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
    const sku = await unit.counters.nextSku({});
    const { state, events } = createCard(
      { id: newId("card"), sku, batch: null, fields, accountCurrency: unit.account.currency },
      unit.stamp,
    );
    unit.emit(...events);
    return unit.cards.create(state);
  });
}

/** An endpoint, subscribed to all events unless told otherwise. */
export async function addEndpoint(
  db: Database,
  accountId: string,
  endpoint: { eventTypes?: string[]; enabled?: boolean; deletedAt?: Date },
): Promise<string> {
  const id = newId("whe");
  await db.query(
    `insert into webhook_endpoint
       (id, account_id, url, event_types, enabled, deleted_at, secret, created_at, updated_at)
     values ($1, $2, 'https://receiver.example/hook', $3, $4, $5, 'sealed', now(), now())`,
    [
      toUuid(id),
      toUuid(accountId),
      endpoint.eventTypes ?? null,
      endpoint.enabled ?? true,
      endpoint.deletedAt ?? null,
    ],
  );
  return id;
}
