import type { RestErrorCode } from "@cardvault/contract";

/** Whether the same request can succeed later, and when to send it. */
export type Retry = "no" | "after_header" | "pauses" | "later";

export const retryWords: Record<Retry, string> = {
  no: "No",
  after_header: "After `Retry-After`",
  pauses: "With growing pauses",
  later: "In a few seconds",
};

/** What a program does about each code. A code without an advice does not compile. */
export const errorAdvice: Record<
  RestErrorCode,
  { readonly retry: Retry; readonly advice: string }
> = {
  invalid_json: { retry: "no", advice: "Send JSON in UTF-8." },
  validation_failed: { retry: "no", advice: "`details` names every member that is wrong." },
  invalid_cursor: {
    retry: "no",
    advice: "Begin at the first page, and keep the filters the same from page to page.",
  },
  missing_token: { retry: "no", advice: "Send `Authorization: Bearer <API key>`." },
  invalid_token: { retry: "no", advice: "Look whether the whole key was copied." },
  revoked_token: { retry: "no", advice: "Ask the account's owner for another key." },
  expired_token: { retry: "no", advice: "The key was rotated: use the new one." },
  insufficient_scope: { retry: "no", advice: "Use a key that has the scope." },
  account_suspended: { retry: "no", advice: "Ask whoever operates the service." },
  card_not_found: {
    retry: "no",
    advice: "Forget the card, or look at which account the key is of.",
  },
  batch_not_found: { retry: "no", advice: "As for a card." },
  listing_not_found: { retry: "no", advice: "As for a card." },
  route_not_found: { retry: "no", advice: "Look at the path." },
  method_not_allowed: { retry: "no", advice: "`Allow` names the methods that the path takes." },
  conflict: { retry: "no", advice: "Read the card again, and decide anew." },
  invalid_transition: { retry: "no", advice: "Read the card's `workflow_status` again." },
  already_listed: { retry: "no", advice: "`GET /listings?card=…` has the listing." },
  batch_complete: { retry: "no", advice: "Somebody has to reopen the batch on its page." },
  identification_in_progress: {
    retry: "later",
    advice: "Or read the card: the other call may have identified it.",
  },
  idempotency_in_progress: { retry: "after_header", advice: "Repeat it with the same key." },
  precondition_failed: {
    retry: "no",
    advice: "Read the card again, and send your change for its new version if you still want it.",
  },
  body_too_large: { retry: "no", advice: "Send less at once." },
  unsupported_media_type: { retry: "no", advice: "Send `Content-Type: application/json`." },
  identification_failed: {
    retry: "no",
    advice: "Take a better photo, or give `title`, `set` and `number` by hand.",
  },
  photo_unavailable: { retry: "no", advice: "Give the card a photo, or look at the photo's URL." },
  card_not_publishable: { retry: "no", advice: "`details` names every rule that is not met." },
  idempotency_key_reused: { retry: "no", advice: "Make a new key for another request." },
  rate_limit_exceeded: {
    retry: "after_header",
    advice: "Nothing was done, and it was not counted.",
  },
  internal_error: {
    retry: "pauses",
    advice: "If it stays, tell whoever operates the service the `request_id`.",
  },
  marketplace_error: { retry: "pauses", advice: "The marketplace has a problem of its own." },
  service_unavailable: { retry: "after_header", advice: "Usually a matter of seconds." },
  upstream_timeout: { retry: "pauses", advice: "A provider was too slow." },
};
