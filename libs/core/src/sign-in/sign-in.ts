import { randomBytes } from "node:crypto";
import { errorAnswerOf, VaultError } from "@cardvault/contract";
import type { Clock, Logger } from "@cardvault/kit";
import type { BetterAuthOptions } from "better-auth";
import pg from "pg";
import type { Limiter } from "../limits/limiter.ts";
import { createGuessLimit } from "./guess-limit.ts";
import type { GuessLimit } from "./guess-limit.ts";

/** Somebody who is signed in. */
interface Person {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
}

/** Sign-in with e-mail and password. Open sign-up is off: people come by invitation or by the operator. */
export interface SignIn {
  /**
   * Answers a request under `/auth`.
   * @param clientAddress of the client, for the rate limit: a header of the client's own says nothing.
   */
  handler(request: Request, clientAddress: string): Promise<Response>;
  /** Who the cookies of a request belong to; null where nobody is signed in. */
  personOf(headers: Headers): Promise<Person | null>;
  /**
   * The hash of a password, as sign-in compares it.
   * @throws VaultError `validation_failed` for one that is too short or too long.
   */
  hashPassword(password: string): Promise<string>;
  /** Ends every session of a person. */
  endSessions(userId: string): Promise<void>;
  /** The one-time link to a page that asks for a new password, good for an hour. */
  createResetLink(userId: string): Promise<string>;
  close(): Promise<void>;
}

export interface SignInOptions {
  databaseUrl: string;
  /** The service's own origin: no other may send anything but GET. */
  publicUrl: string;
  /** Signs the cookies; at least 32 bytes, derived from the encryption keys. */
  secret: string;
  /** Plain HTTP on loopback: cookies without `Secure` and the `__Host-` prefix. */
  isPlainHttp: boolean;
  logger: Logger;
  clock: Clock;
  /** Counts the sign-ins of each person. */
  limiter: Limiter;
  /** Called when sessions may have ended: a sign-out, a revocation, another password. */
  onSessionsEnded?: (() => void) | undefined;
}

const passwordLength = { min: 10, max: 128 } as const;
const resetSeconds = 60 * 60;
const poolSize = 4;
const addressHeader = "x-vault-client-address";

const signInPath = "/auth/sign-in/email";
const changePasswordPath = "/auth/change-password";
/**
 * What of better-auth can be reached, by POST. Everything else (sign-up, profile changes) is not there: what
 * it tells of sessions, for one, holds their tokens.
 */
const openPaths = new Set([
  signInPath,
  "/auth/sign-out",
  changePasswordPath,
  "/auth/reset-password",
]);

function cookiePrefix(isPlainHttp: boolean): string {
  return isPlainHttp ? "vault" : "__Host-vault";
}

/** The library is loaded here and not before: the worker, which signs nobody in, saves its 20 MB. */
export async function createSignIn(options: SignInOptions): Promise<SignIn> {
  const { betterAuth } = await import("better-auth");
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    application_name: "cardvault-sign-in",
    max: poolSize,
    options: "-c search_path=auth",
  });
  pool.on("error", (error) =>
    options.logger.warn({ err: error }, "sign-in: a connection was lost"),
  );
  const auth = betterAuth(authOptions(options, pool));
  const getSession = (headers: Headers) =>
    auth.api.getSession({ headers, query: { disableRefresh: true } });
  const guesses = createGuessLimit({
    ...options,
    cookieName: `${cookiePrefix(options.isPlainHttp)}.device`,
    isSecure: !options.isPlainHttp,
  });
  const library: Library = {
    handler: auth.handler,
    sessionOf: async (headers) => (await getSession(headers))?.session.token ?? null,
    endSession: async (token) => (await auth.$context).internalAdapter.deleteSession(token),
  };

  return {
    handler: (request, clientAddress) => answer(library, guesses, options, request, clientAddress),
    async personOf(headers) {
      const session = await getSession(headers);
      if (session === null) return null;
      const { id, name, email } = session.user;
      return { userId: id, sessionId: session.session.id, name, email };
    },
    async hashPassword(password) {
      const { min, max } = passwordLength;
      if (password.length < min || password.length > max) {
        throw new VaultError("validation_failed", {
          details: [{ path: "password", message: `Must have ${min} to ${max} characters` }],
        });
      }
      return (await auth.$context).password.hash(password);
    },
    async endSessions(userId) {
      await (await auth.$context).internalAdapter.deleteUserSessions(userId);
      options.onSessionsEnded?.();
    },
    async createResetLink(userId) {
      const { internalAdapter } = await auth.$context;
      const token = randomBytes(32).toString("base64url");
      await internalAdapter.createVerificationValue({
        identifier: `reset-password:${token}`,
        value: userId,
        expiresAt: new Date(Date.now() + resetSeconds * 1000),
      });
      // In the fragment, so that it stands in no log and no Referer.
      return `${options.publicUrl}/auth/reset#token=${token}`;
    },
    close: () => pool.end(),
  };
}

function authOptions(options: SignInOptions, database: pg.Pool) {
  const { publicUrl, secret, isPlainHttp, logger } = options;
  return {
    baseURL: publicUrl,
    basePath: "/auth",
    secret,
    database,
    trustedOrigins: [publicUrl],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      revokeSessionsOnPasswordReset: true,
    },
    // A link's token is stored as its hash: a copy of the database opens nothing.
    verification: { storeIdentifier: "hashed" },
    rateLimit: {
      enabled: true,
      storage: "database",
      window: 60,
      max: 100,
      customRules: { "/reset-password": { window: 60, max: 10 } },
    },
    advanced: {
      // The library's own prefix is `__Secure-`; `__Host-` also pins the cookie to this very host.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(isPlainHttp),
      defaultCookieAttributes: {
        httpOnly: true,
        secure: !isPlainHttp,
        sameSite: "lax",
        path: "/",
      },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    telemetry: { enabled: false },
    logger: {
      level: "warn",
      log: (level, message, ...details) => {
        const [detail] = details;
        const fields = detail instanceof Error ? { err: detail } : {};
        logger[level === "error" ? "error" : "warn"](fields, `sign-in: ${message}`);
      },
    },
  } satisfies BetterAuthOptions;
}

/** What of the library an answer is made with. */
interface Library {
  handler: (request: Request) => Promise<Response>;
  /** The token of the session that cookies open. */
  sessionOf: (headers: Headers) => Promise<string | null>;
  endSession: (token: string) => Promise<void>;
}

async function answer(
  library: Library,
  guesses: GuessLimit,
  { publicUrl, onSessionsEnded }: SignInOptions,
  request: Request,
  clientAddress: string,
): Promise<Response> {
  const path = new URL(request.url).pathname;
  if (!openPaths.has(path)) return errorResponse(new VaultError("route_not_found"));
  if (request.method !== "POST") {
    return errorResponse(new VaultError("method_not_allowed", { allow: ["POST"] }));
  }
  if (request.headers.get("origin") !== publicUrl) return errorResponse(foreignOrigin());
  const headers = new Headers(request.headers);
  headers.set(addressHeader, clientAddress);
  headers.set("content-type", "application/json");
  const given = await bodyOf(request);
  const email = path === signInPath && typeof given["email"] === "string" ? given["email"] : null;
  const cookies = headers.get("cookie");
  if (email !== null) {
    const { allowed, retryAfterSeconds } = await guesses.take(email, cookies);
    if (!allowed)
      return errorResponse(new VaultError("rate_limit_exceeded", { retryAfterSeconds }));
  }
  // Whoever has learned the password must not stay signed in after it is another one.
  const body = path === changePasswordPath ? { ...given, revokeOtherSessions: true } : given;
  const before = email === null ? null : await library.sessionOf(headers);
  const response = await library.handler(
    new Request(request.url, { method: "POST", headers, body: JSON.stringify(body) }),
  );
  if (!response.ok) {
    const seconds = response.headers.get("x-retry-after");
    if (seconds !== null) response.headers.set("retry-after", seconds);
    return response;
  }
  if (email !== null) {
    response.headers.append("set-cookie", guesses.cookieFor(email));
    // The session that this browser had is over, whoever made it.
    if (before !== null) await library.endSession(before);
  }
  if (email === null || before !== null) onSessionsEnded?.();
  // The library's own answer holds the token of the session, which no script is to read.
  response.headers.delete("content-length");
  return new Response("{}", { status: response.status, headers: response.headers });
}

/** The members of a JSON body; none where it is no object, which the library then refuses. */
async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  const body: unknown = await request.json().catch(() => null);
  return typeof body === "object" && body !== null ? { ...body } : {};
}

/** What a request of a session answers whose `Origin` is not our own (contract, sessions). */
export function foreignOrigin(): VaultError {
  return new VaultError("not_permitted", { message: "The request comes from another origin." });
}

function errorResponse(error: VaultError): Response {
  return Response.json(errorAnswerOf(error), {
    status: error.status,
    headers: {
      ...(error.allow === undefined ? {} : { allow: error.allow.join(", ") }),
      ...(error.retryAfterSeconds === undefined
        ? {}
        : { "retry-after": String(error.retryAfterSeconds) }),
    },
  });
}
