/** An amount in minor units (cents) and its ISO 4217 currency. */
export type Money = { amount: number; currency: string };

export type WorkflowStatus =
  | "imported"
  | "identified"
  | "priced"
  | "photographed"
  | "listed"
  | "sold"
  | "archived";

type ListingMembers = {
  listing_id: string;
  card_id: string;
  marketplace: "ebay";
  external_listing_id: string;
};

/** The `data` of each event, by its name. Times are UTC, ISO 8601, with a trailing `Z`. */
export type EventData = {
  "card.identified": {
    card_id: string;
    /** `""` where it is unknown, as are set and number. */
    title: string;
    set: string;
    /** `<n>/<total>` where the total is known. */
    number: string;
  };
  "card.priced": { card_id: string; asking_price: Money };
  "card.workflow_status_changed": { card_id: string; from: WorkflowStatus; to: WorkflowStatus };
  "listing.published": ListingMembers & { url: string; price: Money; published_at: string };
  "listing.sold": ListingMembers & {
    /** The total of all copies sold. */
    sold_price: Money;
    quantity: number;
    /** The last order. */
    order_id: string;
    sold_at: string;
  };
  "listing.ended": ListingMembers & {
    end_reason: "withdrawn" | "expired" | "ended_by_marketplace" | "out_of_stock";
    ended_at: string;
  };
  "batch.completed": { batch_id: string; name: string; card_count: number; completed_at: string };
  "identify.failed": {
    /** Null where only a photo URL was given. */
    card_id: string | null;
    photo_url: string | null;
    attempts: {
      provider: "image_recognition" | "generative_ai";
      reason: "no_match" | "error" | "timeout" | "not_configured";
    }[];
  };
};

export type EventName = keyof EventData;

/** One event as it is sent: `switch` on `event` and `data` has its type. */
export type VaultEvent = {
  [Name in EventName]: {
    /** Repeated when the same event is sent again: store it, and skip what is stored. */
    id: string;
    event: Name;
    created_at: string;
    account_id: string;
    data: EventData[Name];
  };
}[EventName];
