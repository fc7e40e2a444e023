import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "@cardvault/kit";
import type { Limiter, Taken } from "../limits/limiter.ts";

/** Sign-ins a minute for one person from browsers that have not signed them in before, wherever those are. */
export const strangerLimit = 20;
/** And from each browser that has. */
const knownLimit = 20;
const cookieSeconds = 365 * 24 * 60 * 60;
const nonceBytes = 16;

/**
 * Holds up guesses of one person's password that come from many addresses, and does not let strangers lock
 * that person out: a browser that has signed them in before has a window of its own (OWASP, "Slow Down Online
 * Guessing Attacks with Device Cookies"). An address that nobody has is counted like one that somebody has.
 */
export interface GuessLimit {
  /** Counts an attempt; what is not allowed must not be looked at. */
  take(email: string, cookies: string | null): Promise<Taken>;
  /** The `Set-Cookie` of a browser that has signed this person in. */
  cookieFor(email: string): string;
}

export interface GuessLimitOptions {
  limiter: Limiter;
  clock: Clock;
  /** Signs the cookies. */
  secret: string;
  cookieName: string;
  isSecure: boolean;
}

export function createGuessLimit(options: GuessLimitOptions): GuessLimit {
  const { limiter, clock, secret, cookieName, isSecure } = options;
  const sign = (email: string, nonce: string): string =>
    createHmac("sha256", secret)
      .update(`device ${nonce} ${personOf(email)}`)
      .digest("base64url");

  /** What tells this browser from others, where it has signed this person in. */
  function deviceOf(email: string, cookies: string | null): string | null {
    const given = valueOf(cookies ?? "", cookieName);
    const [nonce = "", signature = ""] = given.split(".", 2);
    return nonce !== "" && isEqual(sign(email, nonce), signature) ? nonce : null;
  }

  return {
    async take(email, cookies) {
      const device = deviceOf(email, cookies);
      const [key, limit] =
        device === null
          ? [`sign-in:${personOf(email)}`, strangerLimit]
          : [`sign-in:${personOf(email)}:${device}`, knownLimit];
      return limiter.take({ key, limit, now: clock.now() });
    },
    cookieFor(email) {
      const nonce = randomBytes(nonceBytes).toString("base64url");
      const attributes = `Max-Age=${cookieSeconds}; Path=/; HttpOnly; SameSite=Lax`;
      const secure = isSecure ? "; Secure" : "";
      return `${cookieName}=${nonce}.${sign(email, nonce)}; ${attributes}${secure}`;
    },
  };
}

/** One address has one window however it is written, and is not to be read in a table of windows. */
function personOf(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url").slice(0, 22);
}

function valueOf(cookies: string, name: string): string {
  const found = cookies.split(";").find((cookie) => cookie.trim().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) ?? "";
}

function isEqual(wanted: string, given: string): boolean {
  const [left, right] = [Buffer.from(wanted), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
