import * as z from "zod";

/** What stands before the `_` of each kind of identifier that leaves the service. */
export const idPrefixes = [
  "card",
  "batch",
  "lst",
  "evt",
  "acc",
  "whe",
  "dlv",
  "key",
  "img",
  "job",
  "ntc",
  "view",
  "sale",
  "imp",
  "pim",
  "idn",
  "req",
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/** An id for examples in the documentation, with a well-formed UUIDv7 behind it. */
export function exampleId(prefix: IdPrefix): string {
  return `${prefix}_01kjn2z6g0fgz9pqafd9r83gq3`;
}

/**
 * A TypeID: the prefix and a UUID in 26 digits of Crockford's base 32, lower case. 26 digits hold
 * 130 bits, so the first is at most 7.
 */
function typeId(prefix: IdPrefix, what: string): z.ZodString {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`), `Must be an id like ${prefix}_…`)
    .meta({ description: what, examples: [exampleId(prefix)] });
}

export const cardId = typeId("card", "Card identifier.");
export const batchId = typeId("batch", "Batch identifier.");
export const listingId = typeId("lst", "Listing identifier.");
export const eventId = typeId("evt", "Event identifier.");
export const accountId = typeId("acc", "Account identifier.");
export const endpointId = typeId("whe", "Webhook endpoint identifier.");
export const deliveryId = typeId("dlv", "Delivery identifier.");
export const keyId = typeId("key", "API key identifier.");
export const photoId = typeId("img", "Photo identifier.");
export const jobId = typeId("job", "Job identifier.");
export const saleId = typeId("sale", "Identifier of a sale by hand.");
export const noticeId = typeId("ntc", "Notice identifier.");
export const identificationId = typeId("idn", "Identifier of one identification of a card.");
export const viewId = typeId("view", "Saved view identifier.");
export const requestId = typeId("req", "Request identifier.");

/** Sign-in issues these itself; they are opaque text. */
export const userId = z.string().min(1).max(100).meta({ description: "User identifier." });

/**
 * An identifier in a path. Any text is let through, because a malformed id answers 404 like an
 * unknown one, and not 400.
 */
export function pathId(prefix: IdPrefix): z.ZodString {
  return z.string().meta({ examples: [exampleId(prefix)] });
}
