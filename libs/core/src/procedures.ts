import type { LimitClass, RestErrorCode, Role, Scope } from "@cardvault/contract";
import { accountHeader, VaultError } from "@cardvault/contract";
import { traced } from "@cardvault/kit";
import { initTRPC, TRPCError } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import * as z from "zod";
import { accessOf } from "./context.ts";
import type { Context } from "./context.ts";
import { errorOf, trpcCodeOf } from "./errors.ts";

/** What a documented procedure says about itself; the REST adapter and the API description read it. */
export interface DocumentedMeta {
  openapi: NonNullable<OpenApiMeta["openapi"]>;
  limitClass: LimitClass;
  /** A token needs all of them. */
  scopes: readonly Scope[];
  /** What a token needs besides, by what is asked: looked at before the input is checked. */
  scopesOfInput?: ((input: unknown) => readonly Scope[]) | undefined;
  /** The answer has a `version`, which becomes its `ETag`. */
  etag?: true | undefined;
  /** Takes `Idempotency-Key`. */
  idempotent?: true | undefined;
  /** 200 where none is given. */
  successStatus?: number | undefined;
  /** A success of another status and form than the usual one. */
  otherSuccess?: OtherSuccess | undefined;
  /** Errors of its own that the description names beside those which every operation can answer. */
  errors?: readonly RestErrorCode[] | undefined;
  /** What an id of the path answers that is unknown, malformed or of another account. */
  notFoundCode?: RestErrorCode | undefined;
}

/** What some requests are answered instead: `isOther` tells such an answer from the usual one. */
interface OtherSuccess {
  status: number;
  isOther: (answer: unknown) => boolean;
  /** For the API description, which names both. */
  usual: z.ZodType;
  other: z.ZodType;
  description: string;
}

/** Session procedures have none of it. */
export type Meta = Partial<DocumentedMeta>;

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Nothing internal leaves the process, in development neither.
    isDev: false,
    // A proxy that closes what is silent for a minute keeps it, and a client soon notices a dead one.
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter({ shape, error, ctx }) {
      const vaultError = errorOf(error);
      const { code, message, status, details } = vaultError;
      return {
        message,
        code: shape.code,
        data: {
          code,
          status,
          httpStatus: status,
          ...(details === undefined ? {} : { details }),
          ...(ctx === undefined ? {} : { request_id: ctx.requestId }),
          ...(vaultError.retryAfterSeconds === undefined
            ? {}
            : { retry_after_seconds: vaultError.retryAfterSeconds }),
        },
      };
    },
  });

/** The same for an account that is not named, is not there or is not the person's own. */
function noAccount(): VaultError {
  return new VaultError("not_found", {
    message: `The request must name an account of yours in ${accountHeader}.`,
  });
}

const noOptions = {};

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/**
 * Gives every VaultError the tRPC code of its status, so that HTTP answers have that status too. And a
 * procedure is a step of its request's trace; what is followed is not, because it has no end.
 */
const withVaultErrors = t.middleware(async ({ next, path, type }) => {
  const result =
    type === "subscription"
      ? await next()
      : await traced(path, noOptions, async (span) => {
          const answered = await next();
          if (!answered.ok) span?.fail(errorOf(answered.error).code);
          return answered;
        });
  if (result.ok || !(result.error.cause instanceof VaultError)) return result;
  const { cause } = result.error;
  throw new TRPCError({ code: trpcCodeOf(cause.status), message: cause.message, cause });
});

const base = t.procedure.use(withVaultErrors);

/** @throws VaultError `insufficient_scope` that names what a token lacks. */
export function requireScopes(has: readonly Scope[], needed: readonly Scope[]): void {
  const missing = needed.filter((scope) => !has.includes(scope));
  if (missing.length === 0) return;
  throw new VaultError("insufficient_scope", {
    message: `The bearer token lacks the scope ${missing.join(" and ")}.`,
  });
}

/**
 * The same schema, which tRPC then checks synchronously by code that zod generates once, at the start.
 * tRPC prefers `parseAsync`, which takes the slow way: a page of 50 cards then costs 900 µs, and so 175.
 * What does not fit is explained by the schema itself. No schema of the documented surface has an
 * asynchronous refinement.
 */
export function compiled<Schema extends z.ZodType>(schema: Schema): Schema {
  const generated = z.compile(schema);
  return Object.defineProperty(schema, "parseAsync", {
    value: async (value: unknown) => generated.parse(value),
    configurable: true,
  });
}

/**
 * A procedure of the documented REST surface: takes a token with the scopes it names, and a session.
 * The scope is checked before the input is looked at (order of checks: contract, errors).
 */
export function documented(meta: DocumentedMeta) {
  return base.meta(meta).use(async ({ ctx, next, type, getRawInput }) => {
    const { principal } = ctx;
    if (principal === null) throw new VaultError("sign_in_required");
    if (principal.kind === "person") throw noAccount();
    if (principal.kind === "token") {
      requireScopes(principal.scopes, meta.scopes);
      const { scopesOfInput } = meta;
      if (scopesOfInput !== undefined) {
        requireScopes(principal.scopes, scopesOfInput(await getRawInput()));
      }
    } else if (principal.isSuspended && type === "mutation") {
      throw new VaultError("account_suspended");
    }
    return next({ ctx: { principal, access: accessOf(principal) } });
  });
}

/**
 * A procedure of the web interface alone. `owner` keeps members out; without a role both may.
 * Tokens are refused: keys, endpoints, members and events have no REST path.
 */
export function session(role?: Role) {
  return base.use(({ ctx, next, type }) => {
    const { principal } = ctx;
    if (principal?.kind === "person") throw noAccount();
    if (principal?.kind !== "session") throw new VaultError("sign_in_required");
    if (role === "owner" && principal.role !== "owner") throw new VaultError("not_permitted");
    if (principal.isSuspended && type === "mutation") throw new VaultError("account_suspended");
    return next({ ctx: { principal, access: accessOf(principal) } });
  });
}

/** A procedure of a signed-in person, whatever account the request names, or none. */
export const personal = base.use(({ ctx, next }) => {
  const { principal } = ctx;
  if (principal === null || principal.kind === "token") throw new VaultError("sign_in_required");
  return next({ ctx: { principal } });
});

/**
 * A procedure of operators of the platform, whatever account the request names: it sees all of them. For
 * everybody else it is not there.
 */
export const operator = base.use(({ ctx, next }) => {
  const { principal } = ctx;
  if (principal === null || principal.kind === "token") throw new VaultError("sign_in_required");
  if (!principal.isOperator) throw new VaultError("not_found");
  return next({ ctx: { principal } });
});

/** A procedure for somebody who cannot sign in yet: a one-time link is what lets them in. */
export const withoutSession = base;
