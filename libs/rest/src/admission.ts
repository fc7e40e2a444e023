import { VaultError, addressRequestLimit, requestLimits } from "@cardvault/contract";
import type { LimitClass } from "@cardvault/contract";
import { tokenWindow } from "@cardvault/core";
import type { Taken, TokenPrincipal } from "@cardvault/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import { addressKey } from "./client-address.ts";
import type { Reservation, RestOptions, VersionOneEnd } from "./options.ts";

const readMethods = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** The class of a request for which there is no operation. */
function classOfMethod(method: string): LimitClass {
  return readMethods.has(method) ? "read" : "write";
}

function setLimitHeaders(reply: FastifyReply, taken: Taken): void {
  reply.header("x-ratelimit-limit", String(taken.limit));
  reply.header("x-ratelimit-remaining", String(taken.remaining));
  reply.header("x-ratelimit-reset", String(taken.resetAt));
}

function limitExceeded(taken: Taken): VaultError {
  return new VaultError("rate_limit_exceeded", { retryAfterSeconds: taken.retryAfterSeconds });
}

function isAboutTheToken(error: unknown): boolean {
  return error instanceof VaultError && error.status < 500;
}

/** The headers of version 1's end; none until it is configured. */
function endHeaders(end: VersionOneEnd | undefined): Record<string, string> {
  if (end === undefined) return {};
  const earliest = new Date(end.deprecatedAt);
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
  if (end.sunsetAt < earliest) {
    throw new RangeError("Version 1 is served for at least 12 months after it is deprecated");
  }
  return {
    deprecation: `@${Math.floor(end.deprecatedAt.getTime() / 1000)}`,
    sunset: end.sunsetAt.toUTCString(),
    link: `<${end.successorUrl}>; rel="successor-version"`,
  };
}

/** Token and limit, in this order, before anything of a request's body is looked at. */
export function createAdmission<Tx, R extends Reservation>(options: RestOptions<Tx, R>) {
  const { authenticate, clock, limiter, addressLimiter, isUnavailable } = options;
  const standing = Object.entries(endHeaders(options.versionOneEnd));

  /** Counts a request without a valid token; refuses it where the address has had its share. */
  async function countAddress(request: FastifyRequest, reply: FastifyReply): Promise<Taken> {
    const key = addressKey(request.ip);
    const now = clock.now();
    const taken = await addressLimiter.take({ key, limit: addressRequestLimit, now });
    setLimitHeaders(reply, taken);
    return taken;
  }

  async function countToken(
    principal: TokenPrincipal,
    limitClass: LimitClass,
    reply: FastifyReply,
  ): Promise<Taken> {
    const limit = principal.limits[limitClass] ?? requestLimits[limitClass];
    const key = tokenWindow(principal.keyId, limitClass);
    const taken = await limiter.take({ key, limit, now: clock.now() });
    setLimitHeaders(reply, taken);
    return taken;
  }

  return {
    /**
     * The principal of a request for a known route.
     * @throws VaultError for the token, `rate_limit_exceeded`, `service_unavailable`
     */
    async admit(
      request: FastifyRequest,
      reply: FastifyReply,
      limitClass: LimitClass,
    ): Promise<TokenPrincipal> {
      for (const [name, value] of standing) reply.header(name, value);
      let principal: TokenPrincipal;
      try {
        principal = await authenticate(request.headers.authorization);
      } catch (error) {
        const taken = await countAddress(request, reply);
        // A token that nobody could look up is not a wrong one: an outage of ours is said as it is.
        if (!taken.allowed && isAboutTheToken(error)) throw limitExceeded(taken);
        throw error;
      }
      const taken = await countToken(principal, limitClass, reply);
      if (!taken.allowed) throw limitExceeded(taken);
      if (isUnavailable?.() === true) throw new VaultError("service_unavailable");
      return principal;
    },

    /** Counts a request for which there is no operation. Its answer is that, whatever the count is. */
    async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      for (const [name, value] of standing) reply.header(name, value);
      try {
        const principal = await authenticate(request.headers.authorization);
        await countToken(principal, classOfMethod(request.method), reply);
      } catch {
        await countAddress(request, reply);
      }
    },
  };
}
