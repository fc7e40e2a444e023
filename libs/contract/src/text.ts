import * as z from "zod";

/**
 * PostgreSQL's text cannot hold U+0000, and UTF-8 cannot hold half of a surrogate pair:
 * such a string would fail at the database, or come back as another one.
 */
function canBeStored(value: string): boolean {
  return !value.includes("\u0000") && value.isWellFormed();
}

const notStorable = "Must not contain NUL characters or unpaired surrogates";

/**
 * A string of at most `maxLength` UTF-16 code units that every room can store.
 * It is kept as given: trimming would give a client back another text than it sent.
 */
export function text(maxLength: number): z.ZodString {
  return z.string().max(maxLength).refine(canBeStored, notStorable);
}

/** As {@link text}, and neither empty nor only white space: for names and for filter values. */
export function filledText(maxLength: number): z.ZodString {
  return text(maxLength)
    .min(1)
    .refine((value) => value.trim() !== "", "Must not be only white space");
}

/** A time in an answer or event: UTC, milliseconds, trailing `Z` (spec, section 2). */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "UTC, ISO 8601, milliseconds.", examples: ["2026-03-01T09:30:00.000Z"] });

const earliestTime = Date.parse("0001-01-01T00:00:00Z");
const latestTime = Date.parse("9999-12-31T23:59:59.999Z");
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * A time in a request: RFC 3339 with an offset. Seconds are required, as the RFC says, and the
 * moment must lie in the years 1 to 9999 of UTC, which is what every later room can write down.
 */
export const requestTime = z.iso
  .datetime({ offset: true })
  .max(64)
  .refine((value) => {
    const moment = Date.parse(value);
    return rfc3339.test(value) && moment >= earliestTime && moment <= latestTime;
  }, "Must be an RFC 3339 time with seconds and an offset")
  .meta({ description: "RFC 3339 with an offset.", examples: ["2026-03-01T09:30:00Z"] });

/** An address of the web, http or https, at most 2,048 characters. */
export const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine(canBeStored, notStorable);
