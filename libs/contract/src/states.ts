/** The closed sets of values that the contract names. Order is the order in which they are shown. */

export const environments = ["live", "test"] as const;
export type Environment = (typeof environments)[number];

/** Identification state of a card (spec, section 3). */
export const cardStatuses = ["imported", "identified"] as const;
export type CardStatus = (typeof cardStatuses)[number];

/** Where a card stands in a dealer's work. */
export const workflowStatuses = [
  "imported",
  "identified",
  "priced",
  "photographed",
  "listed",
  "sold",
  "archived",
] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

export const reviewReasons = [
  "low_confidence",
  "ambiguous",
  "unreadable",
  "providers_failed",
  "high_value",
  "order_cancelled",
  "oversold",
] as const;
export type ReviewReason = (typeof reviewReasons)[number];

/**
 * What became of one identification. `late`: the card was identified or edited meanwhile. `interrupted`: the
 * process that ran it died.
 */
export const identificationStatuses = [
  "running",
  "applied",
  "review",
  "failed",
  "late",
  "interrupted",
  "undone",
] as const;
export type IdentificationStatus = (typeof identificationStatuses)[number];

export const reviewDecisionKinds = ["accepted", "corrected", "skipped"] as const;
export type ReviewDecisionKind = (typeof reviewDecisionKinds)[number];

/** What was paid, what somebody asks, or what a guide says. */
export const priceKinds = ["sold", "asking", "guide"] as const;
export type PriceKind = (typeof priceKinds)[number];

export const conditions = [
  "near_mint",
  "lightly_played",
  "moderately_played",
  "heavily_played",
  "damaged",
] as const;
export type Condition = (typeof conditions)[number];

export const identifiers = ["image_recognition", "generative_ai", "manual"] as const;
/** Who identified a card. */
export type IdentifiedBy = (typeof identifiers)[number];

export const photoSides = ["front", "back", "listing"] as const;
export type PhotoSide = (typeof photoSides)[number];

export const batchStatuses = ["open", "processing", "complete"] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export const listingStatuses = ["publishing", "live", "sold", "ended", "failed"] as const;
export type ListingStatus = (typeof listingStatuses)[number];

export const listingEndReasons = [
  "withdrawn",
  "expired",
  "ended_by_marketplace",
  "out_of_stock",
] as const;
export type ListingEndReason = (typeof listingEndReasons)[number];

export const listingFormats = ["fixed_price"] as const;
export type ListingFormat = (typeof listingFormats)[number];

/** The only marketplace so far; a test account reaches its simulator by the same name. */
export const marketplaces = ["ebay"] as const;
export type Marketplace = (typeof marketplaces)[number];

export const deliveryStatuses = [
  "pending",
  "retrying",
  "delivered",
  "dropped",
  "cancelled",
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What an attempt came to: a class of status codes, or no status at all. */
export const attemptOutcomes = ["2xx", "3xx", "4xx", "5xx", "no_answer"] as const;
export type AttemptOutcomeClass = (typeof attemptOutcomes)[number];

export const dropReasons = [
  "attempts_exhausted",
  "deadline",
  "endpoint_disabled",
  "endpoint_removed",
  "internal",
] as const;
export type DropReason = (typeof dropReasons)[number];

export const jobStatuses = ["queued", "running", "paused", "done", "failed", "cancelled"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** What became of one card of a job. `unchanged`: it was so already. `skipped`: there was a reason not to. */
export const jobItemOutcomes = ["changed", "unchanged", "skipped", "failed"] as const;
export type JobItemOutcome = (typeof jobItemOutcomes)[number];

export const actorKinds = ["member", "token", "operator", "system"] as const;
/** Who acts, for the trail and for the history of cards. */
export type ActorKind = (typeof actorKinds)[number];

/** Through what a card was changed. `scan` is a scanner's move, `command_line` an operator's. */
export const changeVias = [
  "web",
  "scan",
  "api",
  "job",
  "import",
  "provider",
  "marketplace",
  "command_line",
] as const;
export type ChangeVia = (typeof changeVias)[number];

export const changeKinds = ["created", "changed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The eight events of the spec, section 6. */
export const eventTypes = [
  "card.identified",
  "card.priced",
  "card.workflow_status_changed",
  "listing.published",
  "listing.sold",
  "listing.ended",
  "batch.completed",
  "identify.failed",
] as const;
export type EventType = (typeof eventTypes)[number];

export const scopes = [
  "cards:read",
  "cards:write",
  "batches:read",
  "listings:read",
  "listings:write",
  "identify",
  "prices",
] as const;
export type Scope = (typeof scopes)[number];

export const roles = ["owner", "member"] as const;
export type Role = (typeof roles)[number];

/** Class of a request for the rate limit (spec, section 8). */
export const limitClasses = ["read", "write", "ai"] as const;
export type LimitClass = (typeof limitClasses)[number];

/** What the trail is about: the word before an action's dot. */
export const trailSubjects = [
  "account",
  "key",
  "endpoint",
  "member",
  "marketplace",
  "job",
] as const;
export type TrailSubject = (typeof trailSubjects)[number];

/**
 * How a consent ended. `declined`: the owner did not agree. `expired`: it was asked for too long ago, in another
 * session, or was answered already. `failed`: the marketplace did not take its own code, or was away.
 */
export const consentOutcomes = ["connected", "declined", "expired", "failed"] as const;
export type ConsentOutcome = (typeof consentOutcomes)[number];
