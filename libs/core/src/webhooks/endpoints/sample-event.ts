import { randomBytes } from "node:crypto";
import { eventSchemas } from "@cardvault/contract";
import type { EventDataOf, EventType, VaultEvent } from "@cardvault/contract";
import { toId } from "@cardvault/kit";
import type { IdPrefix } from "@cardvault/kit";

/**
 * An id that is well formed and never issued: its UUIDv7 says the first millisecond of 1970, so it
 * begins with ten zeros. Random behind them, so that two tests are two events for the receiver.
 */
function neverIssuedId(prefix: IdPrefix): string {
  const hex = randomBytes(9).toString("hex");
  return toId(prefix, `00000000-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6)}`);
}

type Samples = { [Name in EventType]: (now: string, currency: string) => EventDataOf<Name> };

const card = () => neverIssuedId("card");
const listing = () => ({
  listing_id: neverIssuedId("lst"),
  card_id: card(),
  marketplace: "ebay" as const,
  external_listing_id: "110000000000",
});

const samples: Samples = {
  "card.identified": () => ({
    card_id: card(),
    title: "Charged Serpent",
    set: "Storm Harbour",
    number: "4/102",
  }),
  "card.priced": (_now, currency) => ({
    card_id: card(),
    asking_price: { amount: 1250, currency },
  }),
  "card.workflow_status_changed": () => ({ card_id: card(), from: "identified", to: "priced" }),
  "listing.published": (now, currency) => ({
    ...listing(),
    url: "https://www.ebay.com/itm/110000000000",
    price: { amount: 1250, currency },
    published_at: now,
  }),
  "listing.sold": (now, currency) => ({
    ...listing(),
    sold_price: { amount: 1250, currency },
    quantity: 1,
    order_id: "00-00000-00000",
    sold_at: now,
  }),
  "listing.ended": (now) => ({ ...listing(), end_reason: "withdrawn", ended_at: now }),
  "batch.completed": (now) => ({
    batch_id: neverIssuedId("batch"),
    name: "Test batch",
    card_count: 12,
    completed_at: now,
  }),
  "identify.failed": () => ({
    card_id: card(),
    photo_url: null,
    attempts: [
      { provider: "image_recognition", reason: "no_match" },
      { provider: "generative_ai", reason: "timeout" },
    ],
  }),
};

/** An event of this type that never happened, in exactly the form of those that did. */
export function sampleEvent(
  type: EventType,
  account: { accountId: string; currency: string },
  now: Date,
): VaultEvent {
  const created_at = now.toISOString();
  const event = {
    id: neverIssuedId("evt"),
    event: type,
    created_at,
    account_id: account.accountId,
    data: samples[type](created_at, account.currency),
  };
  return eventSchemas[type].parse(event);
}
