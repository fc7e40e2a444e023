// Made from the API description: npm run client -- types

export type paths = {
  readonly "/cards": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List cards, with filters
     * @description Needs the scope `cards:read`. Counts as read.
     */
    readonly get: operations["cards-list"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/cards/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Fetch one card
     * @description Needs the scope `cards:read`. Counts as read.
     */
    readonly get: operations["cards-get"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Update a card: identification, pricing, location
     * @description Applied in this order: identification, price, the rest, then the workflow status. A PATCH that changes nothing keeps `version` and `updated_at`.
     *
     *     Needs the scope `cards:write`. Counts as write.
     */
    readonly patch: operations["cards-update"];
    readonly trace?: never;
  };
  readonly "/batches": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List batches
     * @description Needs the scope `batches:read`. Counts as read.
     */
    readonly get: operations["batches-list"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/batches/{id}/cards": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the cards in one batch
     * @description Needs the scope `batches:read` and `cards:read`. Counts as read.
     */
    readonly get: operations["batches-cards"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/listings": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List marketplace listings
     * @description Needs the scope `listings:read`. Counts as read.
     */
    readonly get: operations["listings-list"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/listings/{cardId}/publish": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Publish a card to the marketplace
     * @description Answers 202 with the listing in `publishing`; it goes live in the background, and fires `listing.published` then. With `dry_run` it checks every rule and publishes nothing: 200. An empty body is fine.
     *
     *     Needs the scope `listings:write`. Counts as write.
     */
    readonly post: operations["listings-publish"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/identify": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Run identification on a card or on a photo URL
     * @description Image recognition is asked first, a generative model where that fails or is not sure enough. An identification at or above the account's threshold is applied to the card; below it the card is put in review and keeps its candidates. A card needs the scope `cards:write` too.
     *
     *     Needs the scope `identify`. Counts as ai.
     */
    readonly post: operations["identifications-identify"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/price-lookup": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Look up what a card is worth
     * @description Asks every price source that the installation has. A source that fails is named and is not an error. `apply` stores the suggestion as the card's `market_price`, never as its asking price, and needs the scope `cards:write` too.
     *
     *     Needs the scope `prices`. Counts as ai.
     */
    readonly post: operations["prices-lookUp"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
};
export type webhooks = {
  readonly "card.identified": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A card moves from imported to identified, by AI or by hand.
     * @description Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.
     */
    readonly post: operations["webhook-card-identified"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "card.priced": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A card gets an asking price for the first time.
     * @description Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.
     */
    readonly post: operations["webhook-card-priced"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "card.workflow_status_changed": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A card's workflow status changes.
     * @description Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.
     */
    readonly post: operations["webhook-card-workflow-status-changed"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "listing.published": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A listing goes live on the marketplace.
     * @description Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.
     */
    readonly post: operations["webhook-listing-published"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "listing.sold": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A listing closes with a sale.
     * @description Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.
     */
    readonly post: operations["webhook-listing-sold"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "listing.ended": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A listing ends without selling.
     * @description Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.
     */
    readonly post: operations["webhook-listing-ended"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "batch.completed": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A batch is marked complete.
     * @description Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.
     */
    readonly post: operations["webhook-batch-completed"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "identify.failed": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Both identification providers fail to identify a card.
     * @description Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.
     */
    readonly post: operations["webhook-identify-failed"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
};
export type components = {
  schemas: {
    /**
     * @description The condition of an ungraded card.
     * @example near_mint
     * @enum {string}
     */
    readonly Condition:
      | "near_mint"
      | "lightly_played"
      | "moderately_played"
      | "heavily_played"
      | "damaged";
    /** @description What a grading company says of the card. */
    readonly GradingInput: {
      readonly grader: string;
      readonly grade: string;
      /** @default null */
      readonly cert_number?: string | null;
      /** @default null */
      readonly qualifier?: string | null;
    };
    /**
     * @description An integer amount in minor units, above 0.
     * @example {
     *       "amount": 1250,
     *       "currency": "USD"
     *     }
     */
    readonly Price: {
      /** @description In minor units (cents). */
      readonly amount: number;
      readonly currency: components["schemas"]["Currency"];
    };
    /**
     * @description Currency code of ISO 4217.
     * @example USD
     */
    readonly Currency: string;
    /**
     * @description An integer amount in minor units, never a float.
     * @example {
     *       "amount": 1250,
     *       "currency": "USD"
     *     }
     */
    readonly Money: {
      /** @description In minor units (cents). */
      readonly amount: number;
      readonly currency: components["schemas"]["Currency"];
    };
    /** @description One page. */
    readonly CardList: {
      readonly data: readonly components["schemas"]["Card"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
      readonly has_more: boolean;
      /**
       * Format: date-time
       * @description On the last page of a poll: the `updated_since` of the next one.
       */
      readonly next_updated_since?: string;
    };
    /**
     * @description A trading card, or several copies of one.
     * @example {
     *       "id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "batch_id": "batch_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "sku": "CV-000412",
     *       "status": "identified",
     *       "workflow_status": "priced",
     *       "needs_review": false,
     *       "review_reason": null,
     *       "title": "Charged Serpent",
     *       "game": "Runes of Avarra",
     *       "set": "Storm Harbour",
     *       "set_code": "STH",
     *       "number": "12/180",
     *       "year": 2024,
     *       "subject": "Charged Serpent",
     *       "team": null,
     *       "manufacturer": null,
     *       "variant": "foil",
     *       "rarity": "rare",
     *       "language": "en",
     *       "print_run": null,
     *       "serial_number": null,
     *       "is_rookie": false,
     *       "is_autograph": false,
     *       "is_memorabilia": false,
     *       "condition": "near_mint",
     *       "grading": null,
     *       "quantity": 1,
     *       "asking_price": {
     *         "amount": 1250,
     *         "currency": "USD"
     *       },
     *       "price_floor": {
     *         "amount": 900,
     *         "currency": "USD"
     *       },
     *       "purchase_price": {
     *         "amount": 400,
     *         "currency": "USD"
     *       },
     *       "market_price": null,
     *       "location": "A-03-12",
     *       "photos": [],
     *       "external_ids": {},
     *       "notes": null,
     *       "tags": [
     *         "binder"
     *       ],
     *       "identified_by": "manual",
     *       "identification_confidence": null,
     *       "identified_at": "2026-03-01T09:30:00.000Z",
     *       "listing_id": null,
     *       "version": 3,
     *       "created_at": "2026-02-27T16:02:11.040Z",
     *       "updated_at": "2026-03-01T09:30:00.000Z"
     *     }
     */
    readonly Card: {
      /**
       * @description Card identifier.
       * @example card_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      readonly batch_id: string | null;
      readonly sku: string | null;
      /** @enum {string} */
      readonly status: "imported" | "identified";
      /** @enum {string} */
      readonly workflow_status:
        | "imported"
        | "identified"
        | "priced"
        | "photographed"
        | "listed"
        | "sold"
        | "archived";
      readonly needs_review: boolean;
      readonly review_reason:
        | (
            | "low_confidence"
            | "ambiguous"
            | "unreadable"
            | "providers_failed"
            | "high_value"
            | "order_cancelled"
            | "oversold"
          )
        | null;
      readonly title: string | null;
      readonly game: string | null;
      /** @description Set name. */
      readonly set: string | null;
      readonly set_code: string | null;
      /**
       * @description Number within the set, `<n>/<total>` or plain.
       * @example 4/102
       */
      readonly number: string | null;
      readonly year: number | null;
      /** @description Player or character. */
      readonly subject: string | null;
      readonly team: string | null;
      readonly manufacturer: string | null;
      readonly variant: string | null;
      readonly rarity: string | null;
      readonly language: string | null;
      readonly print_run: number | null;
      readonly serial_number: string | null;
      readonly is_rookie: boolean;
      readonly is_autograph: boolean;
      readonly is_memorabilia: boolean;
      readonly condition: components["schemas"]["Condition"] | null;
      readonly grading: components["schemas"]["Grading"] | null;
      readonly quantity: number;
      readonly asking_price: components["schemas"]["Price"] | null;
      readonly price_floor: components["schemas"]["Money"] | null;
      /** @description What the card cost. */
      readonly purchase_price: components["schemas"]["Money"] | null;
      readonly market_price: components["schemas"]["MarketPrice"] | null;
      readonly location: string | null;
      readonly photos: readonly components["schemas"]["Photo"][];
      readonly external_ids: {
        readonly [key: string]: string;
      };
      readonly notes: string | null;
      readonly tags: readonly string[];
      readonly identified_by: ("image_recognition" | "generative_ai" | "manual") | null;
      readonly identification_confidence: number | null;
      readonly identified_at: string | null;
      /** @description The publishing or live listing, else the latest. */
      readonly listing_id: string | null;
      readonly version: number;
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly updated_at: string;
    };
    /**
     * @description What a grading company says of the card.
     * @example {
     *       "grader": "PSA",
     *       "grade": "9",
     *       "cert_number": "48213377",
     *       "qualifier": null
     *     }
     */
    readonly Grading: {
      readonly grader: string;
      readonly grade: string;
      readonly cert_number: string | null;
      readonly qualifier: string | null;
    };
    /** @description The last suggestion of a price lookup. */
    readonly MarketPrice: {
      readonly amount: number;
      readonly currency: components["schemas"]["Currency"];
      readonly source: string;
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly as_of: string;
    };
    /** @description A photo. Its URLs can be fetched as they are. */
    readonly Photo: {
      /**
       * @description Photo identifier.
       * @example img_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @enum {string} */
      readonly side: "front" | "back" | "listing";
      /** Format: uri */
      readonly url: string;
      /** Format: uri */
      readonly thumbnail_url: string;
      readonly width: number;
      readonly height: number;
    };
    /** @description One page. */
    readonly BatchList: {
      readonly data: readonly components["schemas"]["Batch"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
      readonly has_more: boolean;
      /**
       * Format: date-time
       * @description On the last page of a poll: the `updated_since` of the next one.
       */
      readonly next_updated_since?: string;
    };
    /**
     * @description Cards that came in together.
     * @example {
     *       "id": "batch_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "code": "B47",
     *       "name": "Harbour collection",
     *       "status": "open",
     *       "source": "Estate sale",
     *       "description": null,
     *       "defaults": {
     *         "set": "Storm Harbour",
     *         "game": "Runes of Avarra",
     *         "condition": "near_mint",
     *         "language": "en",
     *         "location": "A-03",
     *         "price_floor": null
     *       },
     *       "cost_basis": {
     *         "amount": 45000,
     *         "currency": "USD"
     *       },
     *       "acquired_at": "2026-02-26T00:00:00.000Z",
     *       "card_count": 2,
     *       "counts": {
     *         "imported": 1,
     *         "identified": 0,
     *         "priced": 1,
     *         "photographed": 0,
     *         "listed": 0,
     *         "sold": 0,
     *         "archived": 0
     *       },
     *       "completed_at": null,
     *       "created_at": "2026-02-27T16:00:00.000Z",
     *       "updated_at": "2026-02-27T16:00:00.000Z"
     *     }
     */
    readonly Batch: {
      /**
       * @description Batch identifier.
       * @example batch_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      readonly code: string;
      readonly name: string;
      /** @enum {string} */
      readonly status: "open" | "processing" | "complete";
      readonly source: string | null;
      readonly description: string | null;
      readonly defaults: components["schemas"]["BatchDefaults"];
      /** @description What the whole batch cost. */
      readonly cost_basis: components["schemas"]["TotalMoney"] | null;
      readonly acquired_at: string | null;
      readonly card_count: number;
      readonly counts: components["schemas"]["WorkflowCounts"];
      readonly completed_at: string | null;
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly updated_at: string;
    };
    /** @description What a new card of the batch starts with. */
    readonly BatchDefaults: {
      readonly set: string | null;
      readonly game: string | null;
      readonly condition: components["schemas"]["Condition"] | null;
      readonly language: string | null;
      readonly location: string | null;
      readonly price_floor: components["schemas"]["Money"] | null;
    };
    /**
     * @description A sum, an integer amount in minor units.
     * @example {
     *       "amount": 3750,
     *       "currency": "USD"
     *     }
     */
    readonly TotalMoney: {
      /** @description In minor units (cents). */
      readonly amount: number;
      readonly currency: components["schemas"]["Currency"];
    };
    /** @description Cards by workflow status. */
    readonly WorkflowCounts: {
      readonly imported: number;
      readonly identified: number;
      readonly priced: number;
      readonly photographed: number;
      readonly listed: number;
      readonly sold: number;
      readonly archived: number;
    };
    /** @description One page. */
    readonly ListingList: {
      readonly data: readonly components["schemas"]["Listing"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
      readonly has_more: boolean;
      /**
       * Format: date-time
       * @description On the last page of a poll: the `updated_since` of the next one.
       */
      readonly next_updated_since?: string;
    };
    /**
     * @description A card offered on a marketplace.
     * @example {
     *       "id": "lst_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "card_id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "marketplace": "ebay",
     *       "status": "live",
     *       "external_listing_id": "110554871203",
     *       "url": "https://www.ebay.com/itm/110554871203",
     *       "title": "Charged Serpent 12/180 Storm Harbour Foil NM",
     *       "description": null,
     *       "category_id": "183454",
     *       "format": "fixed_price",
     *       "price": {
     *         "amount": 1250,
     *         "currency": "USD"
     *       },
     *       "quantity": 1,
     *       "quantity_sold": 0,
     *       "published_at": "2026-03-02T10:00:00.000Z",
     *       "ended_at": null,
     *       "end_reason": null,
     *       "sold_at": null,
     *       "sold_price": null,
     *       "order_id": null,
     *       "error": null,
     *       "last_synced_at": "2026-03-02T10:05:00.000Z",
     *       "created_at": "2026-03-02T09:59:58.120Z",
     *       "updated_at": "2026-03-02T10:00:00.000Z"
     *     }
     */
    readonly Listing: {
      /**
       * @description Listing identifier.
       * @example lst_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /**
       * @description Card identifier.
       * @example card_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly card_id: string;
      /** @enum {string} */
      readonly marketplace: "ebay";
      /** @enum {string} */
      readonly status: "publishing" | "live" | "sold" | "ended" | "failed";
      readonly external_listing_id: string | null;
      readonly url: string | null;
      readonly title: string;
      readonly description: string | null;
      readonly category_id: string | null;
      /** @enum {string} */
      readonly format: "fixed_price";
      readonly price: components["schemas"]["Price"];
      readonly quantity: number;
      readonly quantity_sold: number;
      readonly published_at: string | null;
      readonly ended_at: string | null;
      readonly end_reason:
        | ("withdrawn" | "expired" | "ended_by_marketplace" | "out_of_stock")
        | null;
      readonly sold_at: string | null;
      /** @description The total of all copies sold. */
      readonly sold_price: components["schemas"]["TotalMoney"] | null;
      /** @description The last order. */
      readonly order_id: string | null;
      readonly error: components["schemas"]["ListingError"] | null;
      readonly last_synced_at: string | null;
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly updated_at: string;
    };
    /** @description Why the marketplace refused the listing. */
    readonly ListingError: {
      readonly code: string;
      readonly message: string;
      readonly field: string | null;
    };
    /** @description What would keep the card from being published. */
    readonly PublishDryRun: {
      /**
       * @description Card identifier.
       * @example card_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly card_id: string;
      readonly publishable: boolean;
      readonly problems: readonly {
        readonly path: string;
        readonly message: string;
      }[];
    };
    /** @description What identification found and did. */
    readonly IdentifyAnswer: {
      readonly card_id: string | null;
      /** @description The identification is sure enough, and was applied where there is a card to apply it to. False for a card that was identified or edited meanwhile. */
      readonly identified: boolean;
      readonly provider: ("image_recognition" | "generative_ai") | null;
      readonly confidence: number | null;
      readonly identification: components["schemas"]["Identification"] | null;
      readonly candidates: readonly components["schemas"]["IdentificationCandidate"][];
      readonly attempts: readonly components["schemas"]["IdentificationAttempt"][];
    };
    /** @description What a card is. Null where it is not known. */
    readonly Identification: {
      readonly title: string | null;
      readonly game: string | null;
      /** @description Set name. */
      readonly set: string | null;
      readonly set_code: string | null;
      /**
       * @description Number within the set, `<n>/<total>` or plain.
       * @example 4/102
       */
      readonly number: string | null;
      readonly year: number | null;
      /** @description Player or character. */
      readonly subject: string | null;
      readonly team: string | null;
      readonly manufacturer: string | null;
      readonly variant: string | null;
      readonly rarity: string | null;
      readonly language: string | null;
      readonly print_run: number | null;
      readonly serial_number: string | null;
      readonly is_rookie: boolean;
      readonly is_autograph: boolean;
      readonly is_memorabilia: boolean;
    };
    /** @description What the card may be. */
    readonly IdentificationCandidate: {
      /** @enum {string} */
      readonly provider: "image_recognition" | "generative_ai";
      readonly confidence: number;
      readonly identification: components["schemas"]["Identification"];
      readonly image_url: string | null;
    };
    /** @description What one provider did. */
    readonly IdentificationAttempt: {
      /** @enum {string} */
      readonly provider: "image_recognition" | "generative_ai";
      /** @enum {string} */
      readonly outcome:
        | "match"
        | "low_confidence"
        | "no_match"
        | "error"
        | "timeout"
        | "not_configured";
      readonly confidence: number | null;
      readonly duration_ms: number;
      /** @description A code, never a provider's text. */
      readonly error: string | null;
    };
    /** @description What the sources say, and a suggestion. */
    readonly PriceLookupAnswer: {
      readonly quotes: readonly components["schemas"]["PriceQuote"][];
      /** @description In the account's currency; null rather than a guess. */
      readonly suggestion: components["schemas"]["Money"] | null;
      /** @description Sources that said nothing. The others count all the same. */
      readonly failures: readonly {
        readonly source: string;
        /** @enum {string} */
        readonly error: "no_match" | "error" | "timeout" | "rate_limited";
      }[];
    };
    /** @description What one source says. */
    readonly PriceQuote: {
      readonly source: string;
      /** @description Null where the source knows too little. */
      readonly price: components["schemas"]["Money"] | null;
      readonly low: components["schemas"]["Money"] | null;
      readonly high: components["schemas"]["Money"] | null;
      readonly sample_size: number | null;
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly as_of: string;
      /** @enum {string} */
      readonly kind: "sold" | "asking" | "guide";
    };
    /**
     * @description The body of every error.
     * @example {
     *       "error": {
     *         "code": "card_not_found",
     *         "message": "There is no such card in this account.",
     *         "status": 404,
     *         "request_id": "req_01kjn2z6g0fgz9pqafd9r83gq3"
     *       }
     *     }
     */
    readonly Error: {
      readonly error: {
        /**
         * @description For programs. Never changes its meaning.
         * @enum {string}
         */
        readonly code:
          | "invalid_json"
          | "validation_failed"
          | "invalid_cursor"
          | "missing_token"
          | "invalid_token"
          | "revoked_token"
          | "expired_token"
          | "insufficient_scope"
          | "account_suspended"
          | "card_not_found"
          | "batch_not_found"
          | "listing_not_found"
          | "route_not_found"
          | "method_not_allowed"
          | "conflict"
          | "invalid_transition"
          | "already_listed"
          | "batch_complete"
          | "identification_in_progress"
          | "idempotency_in_progress"
          | "precondition_failed"
          | "body_too_large"
          | "unsupported_media_type"
          | "identification_failed"
          | "photo_unavailable"
          | "card_not_publishable"
          | "idempotency_key_reused"
          | "rate_limit_exceeded"
          | "internal_error"
          | "marketplace_error"
          | "service_unavailable"
          | "upstream_timeout";
        /** @description For logs and people. */
        readonly message: string;
        /** @description The HTTP status code. */
        readonly status: number;
        /**
         * @description Request identifier.
         * @example req_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly request_id?: string;
        /** @description What is wrong, and where. */
        readonly details?: readonly {
          readonly path: string;
          readonly message: string;
        }[];
      };
    };
    /**
     * @description Every member is optional. Null clears; objects and arrays are replaced whole.
     * @example {
     *       "asking_price": {
     *         "amount": 1250,
     *         "currency": "USD"
     *       }
     *     }
     */
    readonly CardPatch: {
      readonly title?: string | null;
      readonly game?: string | null;
      /** @description Set name. */
      readonly set?: string | null;
      readonly set_code?: string | null;
      /**
       * @description Number within the set, `<n>/<total>` or plain.
       * @example 4/102
       */
      readonly number?: string | null;
      readonly year?: number | null;
      /** @description Player or character. */
      readonly subject?: string | null;
      readonly team?: string | null;
      readonly manufacturer?: string | null;
      readonly variant?: string | null;
      readonly rarity?: string | null;
      readonly language?: string | null;
      readonly print_run?: number | null;
      readonly serial_number?: string | null;
      readonly is_rookie?: boolean;
      readonly is_autograph?: boolean;
      readonly is_memorabilia?: boolean;
      readonly condition?: components["schemas"]["Condition"] | null;
      readonly grading?: components["schemas"]["GradingInput"] | null;
      readonly asking_price?: components["schemas"]["Price"] | null;
      readonly price_floor?: components["schemas"]["Money"] | null;
      readonly purchase_price?: components["schemas"]["Money"] | null;
      readonly location?: string | null;
      readonly notes?: string | null;
      readonly tags?: readonly string[] | null;
      readonly sku?: string | null;
      readonly quantity?: number;
      /** @enum {string} */
      readonly workflow_status?:
        | "imported"
        | "identified"
        | "priced"
        | "photographed"
        | "listed"
        | "sold"
        | "archived";
    };
    /** @description How to publish a card. */
    readonly PublishRequest: {
      /** @description The listing's own; else the card's asking price. */
      readonly price?: components["schemas"]["Price"];
      readonly title?: string;
      readonly description?: string;
      /** @description Check every rule and publish nothing. */
      readonly dry_run?: boolean;
    };
    /** @description Exactly one of `card_id` and `photo_url`. */
    readonly IdentifyRequest: {
      /**
       * @description Card identifier.
       * @example card_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly card_id?: string;
      /** Format: uri */
      readonly photo_url?: string;
      /** @description A hint. */
      readonly game?: string;
      /** @description Change nothing and fire nothing. */
      readonly dry_run?: boolean;
    };
    /** @description Exactly one of `card_id`, `identification`. */
    readonly PriceLookupRequest: {
      /**
       * @description Card identifier.
       * @example card_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly card_id?: string;
      readonly identification?: {
        readonly title?: string | null;
        readonly game?: string | null;
        /** @description Set name. */
        readonly set?: string | null;
        readonly set_code?: string | null;
        /**
         * @description Number within the set, `<n>/<total>` or plain.
         * @example 4/102
         */
        readonly number?: string | null;
        readonly year?: number | null;
        /** @description Player or character. */
        readonly subject?: string | null;
        readonly team?: string | null;
        readonly manufacturer?: string | null;
        readonly variant?: string | null;
        readonly rarity?: string | null;
        readonly language?: string | null;
        readonly print_run?: number | null;
        readonly serial_number?: string | null;
        readonly is_rookie?: boolean;
        readonly is_autograph?: boolean;
        readonly is_memorabilia?: boolean;
      };
      readonly condition?: components["schemas"]["Condition"];
      readonly grading?: components["schemas"]["GradingInput"];
      /** @description Store the suggestion as `market_price`. */
      readonly apply?: boolean;
    };
    /**
     * card.identified
     * @description A card moves from imported to identified, by AI or by hand.
     * @example {
     *       "id": "evt_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "event": "card.identified",
     *       "created_at": "2026-03-01T09:30:00.000Z",
     *       "account_id": "acc_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "data": {
     *         "card_id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "title": "Charged Serpent",
     *         "set": "Ember Coast",
     *         "number": "12/142"
     *       }
     *     }
     */
    readonly CardIdentifiedEvent: {
      /**
       * @description Event identifier.
       * @example evt_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @constant */
      readonly event: "card.identified";
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Account identifier.
       * @example acc_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly account_id: string;
      readonly data: {
        /**
         * @description Card identifier.
         * @example card_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly card_id: string;
        /** @description The card's title. `""` where it is unknown. */
        readonly title: string;
        /** @description The set's name. `""` where it is unknown. */
        readonly set: string;
        /**
         * @description `<n>/<total>` where the total is known. `""` where it is unknown.
         * @example 4/102
         */
        readonly number: string;
      };
    };
    /**
     * card.priced
     * @description A card gets an asking price for the first time.
     * @example {
     *       "id": "evt_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "event": "card.priced",
     *       "created_at": "2026-03-01T09:30:00.000Z",
     *       "account_id": "acc_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "data": {
     *         "card_id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "asking_price": {
     *           "amount": 1250,
     *           "currency": "USD"
     *         }
     *       }
     *     }
     */
    readonly CardPricedEvent: {
      /**
       * @description Event identifier.
       * @example evt_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @constant */
      readonly event: "card.priced";
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Account identifier.
       * @example acc_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly account_id: string;
      readonly data: {
        /**
         * @description Card identifier.
         * @example card_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly card_id: string;
        readonly asking_price: components["schemas"]["Price"];
      };
    };
    /**
     * card.workflow_status_changed
     * @description A card's workflow status changes.
     * @example {
     *       "id": "evt_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "event": "card.workflow_status_changed",
     *       "created_at": "2026-03-01T09:30:00.000Z",
     *       "account_id": "acc_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "data": {
     *         "card_id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "from": "identified",
     *         "to": "priced"
     *       }
     *     }
     */
    readonly CardWorkflowStatusChangedEvent: {
      /**
       * @description Event identifier.
       * @example evt_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @constant */
      readonly event: "card.workflow_status_changed";
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Account identifier.
       * @example acc_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly account_id: string;
      readonly data: {
        /**
         * @description Card identifier.
         * @example card_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly card_id: string;
        /** @enum {string} */
        readonly from:
          | "imported"
          | "identified"
          | "priced"
          | "photographed"
          | "listed"
          | "sold"
          | "archived";
        /** @enum {string} */
        readonly to:
          | "imported"
          | "identified"
          | "priced"
          | "photographed"
          | "listed"
          | "sold"
          | "archived";
      };
    };
    /**
     * listing.published
     * @description A listing goes live on the marketplace.
     * @example {
     *       "id": "evt_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "event": "listing.published",
     *       "created_at": "2026-03-01T09:30:00.000Z",
     *       "account_id": "acc_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "data": {
     *         "listing_id": "lst_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "card_id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "marketplace": "ebay",
     *         "external_listing_id": "110553190864",
     *         "url": "https://marketplace.example/itm/110553190864",
     *         "price": {
     *           "amount": 1250,
     *           "currency": "USD"
     *         },
     *         "published_at": "2026-03-01T09:30:00.000Z"
     *       }
     *     }
     */
    readonly ListingPublishedEvent: {
      /**
       * @description Event identifier.
       * @example evt_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @constant */
      readonly event: "listing.published";
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Account identifier.
       * @example acc_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly account_id: string;
      readonly data: {
        /**
         * @description Listing identifier.
         * @example lst_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly listing_id: string;
        /**
         * @description Card identifier.
         * @example card_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly card_id: string;
        /** @enum {string} */
        readonly marketplace: "ebay";
        /** @description The marketplace's own identifier. */
        readonly external_listing_id: string;
        /**
         * Format: uri
         * @description Where buyers see it.
         */
        readonly url: string;
        readonly price: components["schemas"]["Price"];
        /**
         * Format: date-time
         * @description UTC, ISO 8601, milliseconds.
         * @example 2026-03-01T09:30:00.000Z
         */
        readonly published_at: string;
      };
    };
    /**
     * listing.sold
     * @description A listing closes with a sale.
     * @example {
     *       "id": "evt_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "event": "listing.sold",
     *       "created_at": "2026-03-01T09:30:00.000Z",
     *       "account_id": "acc_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "data": {
     *         "listing_id": "lst_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "card_id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "marketplace": "ebay",
     *         "external_listing_id": "110553190864",
     *         "sold_price": {
     *           "amount": 1250,
     *           "currency": "USD"
     *         },
     *         "quantity": 1,
     *         "order_id": "14-12345-67890",
     *         "sold_at": "2026-03-01T09:30:00.000Z"
     *       }
     *     }
     */
    readonly ListingSoldEvent: {
      /**
       * @description Event identifier.
       * @example evt_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @constant */
      readonly event: "listing.sold";
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Account identifier.
       * @example acc_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly account_id: string;
      readonly data: {
        /**
         * @description Listing identifier.
         * @example lst_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly listing_id: string;
        /**
         * @description Card identifier.
         * @example card_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly card_id: string;
        /** @enum {string} */
        readonly marketplace: "ebay";
        /** @description The marketplace's own identifier. */
        readonly external_listing_id: string;
        /** @description The total of all copies sold. */
        readonly sold_price: components["schemas"]["TotalMoney"];
        /** @description How many copies the listing sold. */
        readonly quantity: number;
        /** @description The last order. */
        readonly order_id: string;
        /**
         * Format: date-time
         * @description UTC, ISO 8601, milliseconds.
         * @example 2026-03-01T09:30:00.000Z
         */
        readonly sold_at: string;
      };
    };
    /**
     * listing.ended
     * @description A listing ends without selling.
     * @example {
     *       "id": "evt_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "event": "listing.ended",
     *       "created_at": "2026-03-01T09:30:00.000Z",
     *       "account_id": "acc_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "data": {
     *         "listing_id": "lst_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "card_id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "marketplace": "ebay",
     *         "external_listing_id": "110553190864",
     *         "end_reason": "withdrawn",
     *         "ended_at": "2026-03-01T09:30:00.000Z"
     *       }
     *     }
     */
    readonly ListingEndedEvent: {
      /**
       * @description Event identifier.
       * @example evt_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @constant */
      readonly event: "listing.ended";
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Account identifier.
       * @example acc_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly account_id: string;
      readonly data: {
        /**
         * @description Listing identifier.
         * @example lst_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly listing_id: string;
        /**
         * @description Card identifier.
         * @example card_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly card_id: string;
        /** @enum {string} */
        readonly marketplace: "ebay";
        /** @description The marketplace's own identifier. */
        readonly external_listing_id: string;
        /** @enum {string} */
        readonly end_reason: "withdrawn" | "expired" | "ended_by_marketplace" | "out_of_stock";
        /**
         * Format: date-time
         * @description UTC, ISO 8601, milliseconds.
         * @example 2026-03-01T09:30:00.000Z
         */
        readonly ended_at: string;
      };
    };
    /**
     * batch.completed
     * @description A batch is marked complete.
     * @example {
     *       "id": "evt_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "event": "batch.completed",
     *       "created_at": "2026-03-01T09:30:00.000Z",
     *       "account_id": "acc_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "data": {
     *         "batch_id": "batch_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "name": "Spring show",
     *         "card_count": 70,
     *         "completed_at": "2026-03-01T09:30:00.000Z"
     *       }
     *     }
     */
    readonly BatchCompletedEvent: {
      /**
       * @description Event identifier.
       * @example evt_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @constant */
      readonly event: "batch.completed";
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Account identifier.
       * @example acc_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly account_id: string;
      readonly data: {
        /**
         * @description Batch identifier.
         * @example batch_01kjn2z6g0fgz9pqafd9r83gq3
         */
        readonly batch_id: string;
        /** @description The batch's name. */
        readonly name: string;
        /** @description How many cards it has. */
        readonly card_count: number;
        /**
         * Format: date-time
         * @description UTC, ISO 8601, milliseconds.
         * @example 2026-03-01T09:30:00.000Z
         */
        readonly completed_at: string;
      };
    };
    /**
     * identify.failed
     * @description Both identification providers fail to identify a card.
     * @example {
     *       "id": "evt_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "event": "identify.failed",
     *       "created_at": "2026-03-01T09:30:00.000Z",
     *       "account_id": "acc_01kjn2z6g0fgz9pqafd9r83gq3",
     *       "data": {
     *         "card_id": "card_01kjn2z6g0fgz9pqafd9r83gq3",
     *         "photo_url": null,
     *         "attempts": [
     *           {
     *             "provider": "image_recognition",
     *             "reason": "no_match"
     *           },
     *           {
     *             "provider": "generative_ai",
     *             "reason": "timeout"
     *           }
     *         ]
     *       }
     *     }
     */
    readonly IdentifyFailedEvent: {
      /**
       * @description Event identifier.
       * @example evt_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly id: string;
      /** @constant */
      readonly event: "identify.failed";
      /**
       * Format: date-time
       * @description UTC, ISO 8601, milliseconds.
       * @example 2026-03-01T09:30:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Account identifier.
       * @example acc_01kjn2z6g0fgz9pqafd9r83gq3
       */
      readonly account_id: string;
      readonly data: {
        /** @description Null where only a photo URL was given. */
        readonly card_id: string | null;
        /** @description The photo's address, where one was given. */
        readonly photo_url: string | null;
        /** @description Every provider that was asked, and why it failed. */
        readonly attempts: readonly {
          /** @enum {string} */
          readonly provider: "image_recognition" | "generative_ai";
          /**
           * @description A code, never a provider's text.
           * @enum {string}
           */
          readonly reason: "no_match" | "error" | "timeout" | "not_configured";
        }[];
      };
    };
  };
  responses: {
    /**
     * @description `missing_token`: The request carries no bearer token.
     *
     *     `invalid_token`: The bearer token is not valid.
     *
     *     `revoked_token`: The bearer token has been revoked.
     *
     *     `expired_token`: The bearer token has expired.
     */
    readonly Unauthorized: {
      headers: {
        readonly "X-Request-Id": components["headers"]["X-Request-Id"];
        readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /**
     * @description `insufficient_scope`: The bearer token lacks a scope that this needs.
     *
     *     `account_suspended`: The account is suspended.
     */
    readonly Forbidden: {
      headers: {
        readonly "X-Request-Id": components["headers"]["X-Request-Id"];
        readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `body_too_large`: The request body is too large. */
    readonly BodyTooLarge: {
      headers: {
        readonly "X-Request-Id": components["headers"]["X-Request-Id"];
        readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `unsupported_media_type`: The request body must be application/json. */
    readonly UnsupportedMediaType: {
      headers: {
        readonly "X-Request-Id": components["headers"]["X-Request-Id"];
        readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `rate_limit_exceeded`: Too many requests. Try again later. */
    readonly RateLimitExceeded: {
      headers: {
        readonly "X-Request-Id": components["headers"]["X-Request-Id"];
        readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        readonly "Retry-After": components["headers"]["Retry-After"];
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `internal_error`: Something failed on our side. */
    readonly InternalError: {
      headers: {
        readonly "X-Request-Id": components["headers"]["X-Request-Id"];
        readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `service_unavailable`: The service cannot answer now. Try again later. */
    readonly ServiceUnavailable: {
      headers: {
        readonly "X-Request-Id": components["headers"]["X-Request-Id"];
        readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        readonly "Retry-After": components["headers"]["Retry-After"];
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: {
    /** @description An `ETag`; where it is still the present one the answer is 304. */
    readonly IfNoneMatch: string;
    /** @description An `ETag`; where it is not the present one nothing changes and the answer is 412. */
    readonly IfMatch: string;
    /** @description Makes a repeat safe: for 24 hours the same key with the same body is answered with the first answer. */
    readonly IdempotencyKey: string;
  };
  requestBodies: never;
  headers: {
    /** @description Identifies this request; support asks for it. */
    readonly "X-Request-Id": string;
    /** @description Requests that the window of 60 seconds lets through. */
    readonly "X-RateLimit-Limit": number;
    /** @description Requests that the window still lets through. */
    readonly "X-RateLimit-Remaining": number;
    /** @description Unix second at which the oldest counted request leaves the window. */
    readonly "X-RateLimit-Reset": number;
    /** @description Seconds to wait before asking again. */
    readonly "Retry-After": number;
    /** @description How to authenticate. */
    readonly "WWW-Authenticate": string;
    /** @description The version, for conditional requests. */
    readonly ETag: string;
    /** @description The next page, as `<address>; rel="next"`. Absent on the last one. */
    readonly Link: string;
    /** @description `true` where the answer is the stored one of an earlier request. */
    readonly "Idempotent-Replayed": string;
  };
  pathItems: never;
};
export type $defs = Record<string, never>;
export interface operations {
  readonly "cards-list": {
    readonly parameters: {
      readonly query?: {
        /** @description Rows changed at or after this moment, in the order of their change. RFC 3339 with an offset. */
        readonly updated_since?: string;
        readonly status?: readonly ("imported" | "identified")[];
        readonly workflow_status?: readonly (
          | "imported"
          | "identified"
          | "priced"
          | "photographed"
          | "listed"
          | "sold"
          | "archived"
        )[];
        /** @description Exact, or a prefix that ends in `*`. */
        readonly location?: readonly string[];
        /** @description Set name in any case, or set code. */
        readonly set?: readonly string[];
        readonly game?: readonly string[];
        readonly needs_review?: boolean;
        readonly graded?: boolean;
        readonly sku?: readonly string[];
        /** @description Words in title, set, number and subject. */
        readonly q?: string;
        readonly sort?:
          | "created_at"
          | "-created_at"
          | "updated_at"
          | "-updated_at"
          | "asking_price"
          | "-asking_price"
          | "title"
          | "-title";
        /** @description Rows a page. Above 200 is clamped to 200. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, with the same filters. */
        readonly cursor?: string;
        /** @description Batch identifier or code. */
        readonly batch?: readonly string[];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly Link: components["headers"]["Link"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["CardList"];
        };
      };
      /**
       * @description `validation_failed`: The request does not have the documented form.
       *
       *     `invalid_cursor`: The cursor is not one that this list gave for these filters.
       */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "cards-get": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An `ETag`; where it is still the present one the answer is 304. */
        readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly ETag: components["headers"]["ETag"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Card"];
        };
      };
      /** @description Not modified. */
      readonly 304: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly ETag: components["headers"]["ETag"];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `validation_failed`: The request does not have the documented form. */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      /** @description `card_not_found`: There is no such card in this account. */
      readonly 404: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "cards-update": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An `ETag`; where it is not the present one nothing changes and the answer is 412. */
        readonly "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Makes a repeat safe: for 24 hours the same key with the same body is answered with the first answer. */
        readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CardPatch"];
      };
    };
    readonly responses: {
      /** @description Success. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly ETag: components["headers"]["ETag"];
          readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Card"];
        };
      };
      /**
       * @description `validation_failed`: The request does not have the documented form.
       *
       *     `invalid_json`: The request body is not valid JSON.
       */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      /** @description `card_not_found`: There is no such card in this account. */
      readonly 404: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description `idempotency_in_progress`: The first request with this idempotency key is still running.
       *
       *     `conflict`: The request does not fit the present state.
       *
       *     `invalid_transition`: The present state does not allow this change.
       *
       *     `already_listed`: The card has a listing that is publishing or live.
       */
      readonly 409: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      /** @description `precondition_failed`: The card has changed since that version. */
      readonly 412: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 413: components["responses"]["BodyTooLarge"];
      readonly 415: components["responses"]["UnsupportedMediaType"];
      /** @description `idempotency_key_reused`: This idempotency key was used with another request body. */
      readonly 422: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "batches-list": {
    readonly parameters: {
      readonly query?: {
        /** @description Rows changed at or after this moment, in the order of their change. RFC 3339 with an offset. */
        readonly updated_since?: string;
        readonly status?: readonly ("open" | "processing" | "complete")[];
        readonly sort?:
          | "created_at"
          | "-created_at"
          | "updated_at"
          | "-updated_at"
          | "name"
          | "-name";
        /** @description Rows a page. Above 200 is clamped to 200. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, with the same filters. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly Link: components["headers"]["Link"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["BatchList"];
        };
      };
      /**
       * @description `validation_failed`: The request does not have the documented form.
       *
       *     `invalid_cursor`: The cursor is not one that this list gave for these filters.
       */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "batches-cards": {
    readonly parameters: {
      readonly query?: {
        /** @description Rows changed at or after this moment, in the order of their change. RFC 3339 with an offset. */
        readonly updated_since?: string;
        readonly status?: readonly ("imported" | "identified")[];
        readonly workflow_status?: readonly (
          | "imported"
          | "identified"
          | "priced"
          | "photographed"
          | "listed"
          | "sold"
          | "archived"
        )[];
        /** @description Exact, or a prefix that ends in `*`. */
        readonly location?: readonly string[];
        /** @description Set name in any case, or set code. */
        readonly set?: readonly string[];
        readonly game?: readonly string[];
        readonly needs_review?: boolean;
        readonly graded?: boolean;
        readonly sku?: readonly string[];
        /** @description Words in title, set, number and subject. */
        readonly q?: string;
        readonly sort?:
          | "created_at"
          | "-created_at"
          | "updated_at"
          | "-updated_at"
          | "asking_price"
          | "-asking_price"
          | "title"
          | "-title";
        /** @description Rows a page. Above 200 is clamped to 200. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, with the same filters. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly Link: components["headers"]["Link"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["CardList"];
        };
      };
      /**
       * @description `validation_failed`: The request does not have the documented form.
       *
       *     `invalid_cursor`: The cursor is not one that this list gave for these filters.
       */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      /** @description `batch_not_found`: There is no such batch in this account. */
      readonly 404: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "listings-list": {
    readonly parameters: {
      readonly query?: {
        /** @description Rows changed at or after this moment, in the order of their change. RFC 3339 with an offset. */
        readonly updated_since?: string;
        readonly status?: readonly ("publishing" | "live" | "sold" | "ended" | "failed")[];
        /** @description Card identifier. */
        readonly card?: readonly string[];
        readonly sort?:
          | "created_at"
          | "-created_at"
          | "updated_at"
          | "-updated_at"
          | "price"
          | "-price";
        /** @description Rows a page. Above 200 is clamped to 200. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, with the same filters. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly Link: components["headers"]["Link"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["ListingList"];
        };
      };
      /**
       * @description `validation_failed`: The request does not have the documented form.
       *
       *     `invalid_cursor`: The cursor is not one that this list gave for these filters.
       */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "listings-publish": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes a repeat safe: for 24 hours the same key with the same body is answered with the first answer. */
        readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      readonly path: {
        readonly cardId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PublishRequest"];
      };
    };
    readonly responses: {
      /** @description Of a dry run: every rule that the card fails. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["PublishDryRun"];
        };
      };
      /** @description Success. */
      readonly 202: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Listing"];
        };
      };
      /**
       * @description `validation_failed`: The request does not have the documented form.
       *
       *     `invalid_json`: The request body is not valid JSON.
       */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      /** @description `card_not_found`: There is no such card in this account. */
      readonly 404: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description `idempotency_in_progress`: The first request with this idempotency key is still running.
       *
       *     `already_listed`: The card has a listing that is publishing or live.
       */
      readonly 409: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 413: components["responses"]["BodyTooLarge"];
      readonly 415: components["responses"]["UnsupportedMediaType"];
      /**
       * @description `idempotency_key_reused`: This idempotency key was used with another request body.
       *
       *     `card_not_publishable`: The card cannot be published as it is.
       */
      readonly 422: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "identifications-identify": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes a repeat safe: for 24 hours the same key with the same body is answered with the first answer. */
        readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["IdentifyRequest"];
      };
    };
    readonly responses: {
      /** @description Success. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["IdentifyAnswer"];
        };
      };
      /**
       * @description `validation_failed`: The request does not have the documented form.
       *
       *     `invalid_json`: The request body is not valid JSON.
       */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      /** @description `card_not_found`: There is no such card in this account. */
      readonly 404: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description `idempotency_in_progress`: The first request with this idempotency key is still running.
       *
       *     `identification_in_progress`: The card is being identified at this moment.
       */
      readonly 409: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 413: components["responses"]["BodyTooLarge"];
      readonly 415: components["responses"]["UnsupportedMediaType"];
      /**
       * @description `idempotency_key_reused`: This idempotency key was used with another request body.
       *
       *     `photo_unavailable`: There is no photo that can be used.
       *
       *     `identification_failed`: No provider could identify the card.
       */
      readonly 422: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "prices-lookUp": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes a repeat safe: for 24 hours the same key with the same body is answered with the first answer. */
        readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PriceLookupRequest"];
      };
    };
    readonly responses: {
      /** @description Success. */
      readonly 200: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["PriceLookupAnswer"];
        };
      };
      /**
       * @description `validation_failed`: The request does not have the documented form.
       *
       *     `invalid_json`: The request body is not valid JSON.
       */
      readonly 400: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      /** @description `card_not_found`: There is no such card in this account. */
      readonly 404: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      /** @description `idempotency_in_progress`: The first request with this idempotency key is still running. */
      readonly 409: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 413: components["responses"]["BodyTooLarge"];
      readonly 415: components["responses"]["UnsupportedMediaType"];
      /** @description `idempotency_key_reused`: This idempotency key was used with another request body. */
      readonly 422: {
        headers: {
          readonly "X-Request-Id": components["headers"]["X-Request-Id"];
          readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
      readonly 429: components["responses"]["RateLimitExceeded"];
      readonly 500: components["responses"]["InternalError"];
      readonly 503: components["responses"]["ServiceUnavailable"];
    };
  };
  readonly "webhook-card-identified": {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description `t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old. */
        readonly "X-Vault-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        readonly "webhook-id": string;
        /** @description Unix seconds (Standard Webhooks). */
        readonly "webhook-timestamp": string;
        /** @description `v1,<base64>` (Standard Webhooks). */
        readonly "webhook-signature": string;
        /** @description `true` on test events only. */
        readonly "X-Vault-Test"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CardIdentifiedEvent"];
      };
    };
    readonly responses: {
      /** @description Received. Any other answer is a failed attempt. */
      readonly "2XX": {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly "webhook-card-priced": {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description `t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old. */
        readonly "X-Vault-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        readonly "webhook-id": string;
        /** @description Unix seconds (Standard Webhooks). */
        readonly "webhook-timestamp": string;
        /** @description `v1,<base64>` (Standard Webhooks). */
        readonly "webhook-signature": string;
        /** @description `true` on test events only. */
        readonly "X-Vault-Test"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CardPricedEvent"];
      };
    };
    readonly responses: {
      /** @description Received. Any other answer is a failed attempt. */
      readonly "2XX": {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly "webhook-card-workflow-status-changed": {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description `t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old. */
        readonly "X-Vault-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        readonly "webhook-id": string;
        /** @description Unix seconds (Standard Webhooks). */
        readonly "webhook-timestamp": string;
        /** @description `v1,<base64>` (Standard Webhooks). */
        readonly "webhook-signature": string;
        /** @description `true` on test events only. */
        readonly "X-Vault-Test"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CardWorkflowStatusChangedEvent"];
      };
    };
    readonly responses: {
      /** @description Received. Any other answer is a failed attempt. */
      readonly "2XX": {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly "webhook-listing-published": {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description `t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old. */
        readonly "X-Vault-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        readonly "webhook-id": string;
        /** @description Unix seconds (Standard Webhooks). */
        readonly "webhook-timestamp": string;
        /** @description `v1,<base64>` (Standard Webhooks). */
        readonly "webhook-signature": string;
        /** @description `true` on test events only. */
        readonly "X-Vault-Test"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ListingPublishedEvent"];
      };
    };
    readonly responses: {
      /** @description Received. Any other answer is a failed attempt. */
      readonly "2XX": {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly "webhook-listing-sold": {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description `t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old. */
        readonly "X-Vault-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        readonly "webhook-id": string;
        /** @description Unix seconds (Standard Webhooks). */
        readonly "webhook-timestamp": string;
        /** @description `v1,<base64>` (Standard Webhooks). */
        readonly "webhook-signature": string;
        /** @description `true` on test events only. */
        readonly "X-Vault-Test"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ListingSoldEvent"];
      };
    };
    readonly responses: {
      /** @description Received. Any other answer is a failed attempt. */
      readonly "2XX": {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly "webhook-listing-ended": {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description `t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old. */
        readonly "X-Vault-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        readonly "webhook-id": string;
        /** @description Unix seconds (Standard Webhooks). */
        readonly "webhook-timestamp": string;
        /** @description `v1,<base64>` (Standard Webhooks). */
        readonly "webhook-signature": string;
        /** @description `true` on test events only. */
        readonly "X-Vault-Test"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ListingEndedEvent"];
      };
    };
    readonly responses: {
      /** @description Received. Any other answer is a failed attempt. */
      readonly "2XX": {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly "webhook-batch-completed": {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description `t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old. */
        readonly "X-Vault-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        readonly "webhook-id": string;
        /** @description Unix seconds (Standard Webhooks). */
        readonly "webhook-timestamp": string;
        /** @description `v1,<base64>` (Standard Webhooks). */
        readonly "webhook-signature": string;
        /** @description `true` on test events only. */
        readonly "X-Vault-Test"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["BatchCompletedEvent"];
      };
    };
    readonly responses: {
      /** @description Received. Any other answer is a failed attempt. */
      readonly "2XX": {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly "webhook-identify-failed": {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description `t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old. */
        readonly "X-Vault-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        readonly "webhook-id": string;
        /** @description Unix seconds (Standard Webhooks). */
        readonly "webhook-timestamp": string;
        /** @description `v1,<base64>` (Standard Webhooks). */
        readonly "webhook-signature": string;
        /** @description `true` on test events only. */
        readonly "X-Vault-Test"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["IdentifyFailedEvent"];
      };
    };
    readonly responses: {
      /** @description Received. Any other answer is a failed attempt. */
      readonly "2XX": {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
