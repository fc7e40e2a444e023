import type {
  AttemptOutcomeClass,
  DeliveryStatus,
  DropReason,
  EventType,
  ReviewReason,
  RotationChoice,
  WorkflowStatus,
} from "@cardvault/contract";

/** What the contract's codes are called on the pages. */
export const workflowWords: Record<WorkflowStatus, string> = {
  imported: "Imported",
  identified: "Identified",
  priced: "Priced",
  photographed: "Photographed",
  listed: "Listed",
  sold: "Sold",
  archived: "Archived",
};

/** Why a card waits for a person, in a few words. */
export const reviewWords: Record<ReviewReason, string> = {
  low_confidence: "Not sure enough",
  ambiguous: "More than one card fits",
  unreadable: "Could not be read",
  providers_failed: "Nobody knew it",
  high_value: "Worth a second look",
  order_cancelled: "Its order was cancelled",
  oversold: "More sold than there are",
};

/** The spec's own words for when each event fires, shortened. */
export const eventWords: Record<EventType, string> = {
  "card.identified": "A card is identified",
  "card.priced": "A card gets its first price",
  "card.workflow_status_changed": "A card moves to another stage",
  "listing.published": "A listing goes live",
  "listing.sold": "A listing closes with a sale",
  "listing.ended": "A listing ends without a sale",
  "batch.completed": "A batch is complete",
  "identify.failed": "No provider could identify a card",
};

export const deliveryStatusWords: Record<DeliveryStatus, string> = {
  pending: "On its way",
  retrying: "Waiting for a retry",
  delivered: "Delivered",
  dropped: "Dropped",
  cancelled: "Replaced by a resend",
};

export const attemptOutcomeWords: Record<AttemptOutcomeClass, string> = {
  "2xx": "2xx: delivered",
  "3xx": "3xx: redirected elsewhere",
  "4xx": "4xx: refused",
  "5xx": "5xx: failed there",
  no_answer: "No answer",
};

export const dropReasonWords: Record<DropReason, string> = {
  attempts_exhausted: "All retries failed",
  deadline: "Not delivered in 48 hours",
  endpoint_disabled: "Endpoint was disabled",
  endpoint_removed: "Endpoint was removed",
  internal: "Failed on our side",
};

export const rotationWords: Record<RotationChoice, string> = {
  now: "Now",
  "1h": "In 1 hour",
  "24h": "In 24 hours",
  "7d": "In 7 days",
};

export const conditionWords: Record<string, string> = {
  near_mint: "Near mint",
  lightly_played: "Lightly played",
  moderately_played: "Moderately played",
  heavily_played: "Heavily played",
  damaged: "Damaged",
};

/** `1 event`, `2 events`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** What an attempt's error code means to the owner of the endpoint. */
const attemptErrorWords: Record<string, string> = {
  timeout: "No answer within 10 s",
  address_refused: "The address is not allowed",
  url_refused: "The address is not allowed",
  dns_failed: "The name was not found",
  connect_failed: "Nobody answered there",
  tls_failed: "No valid certificate",
  connection_closed: "Closed without an answer",
  invalid_response: "The answer was no HTTP",
};

/** The last answer of an endpoint: a status, or why there was none. */
export function lastAnswerWords(statusCode: number | null, error: string | null): string {
  if (statusCode !== null) return `HTTP ${statusCode}`;
  if (error === null) return "Not tried";
  const words = attemptErrorWords[error] ?? error.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
