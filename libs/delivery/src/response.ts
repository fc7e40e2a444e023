import type { IncomingHttpHeaders } from "node:http";

/** Cookies and challenges of a receiver are credentials, or nearly; the rest helps to find a mistake. */
const hiddenHeaders = new Set([
  "set-cookie",
  "set-cookie2",
  "authorization",
  "proxy-authorization",
  "www-authenticate",
  "proxy-authenticate",
  "authentication-info",
]);
const maxHeaders = 40;
const maxValueLength = 500;

/** What of a receiver's headers is kept for the account to see. */
export function shownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const shown = Object.entries(headers)
    .filter(([name, value]) => value !== undefined && !hiddenHeaders.has(name))
    .slice(0, maxHeaders)
    .map(([name, value]) => [name.slice(0, maxValueLength), plain([value].flat().join(", "))]);
  return Object.fromEntries(shown) as Record<string, string>;
}

/** PostgreSQL's JSON takes neither NUL nor half of a surrogate pair. */
function plain(text: string): string {
  return text.replaceAll("\0", "").slice(0, maxValueLength).toWellFormed();
}

/** `Retry-After` in seconds from now (RFC 9110, section 10.2.3): a number, or a date. Null where it is neither. */
export function retryAfterSeconds(headers: IncomingHttpHeaders, now: Date): number | null {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  // A date has a weekday before it; Date.parse would take much else.
  const atMs = /^[A-Z][a-z]{2,8}, /u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - now.getTime()) / 1_000));
}
