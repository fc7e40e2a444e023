import * as z from "zod";
import { exampleId, requestId } from "./ids.ts";

/**
 * Every error that the REST API can answer. The code is for programs and never changes its
 * meaning; the message is public and is used where the error brings none of its own.
 */
export const restErrorTable = {
  invalid_json: { status: 400, message: "The request body is not valid JSON." },
  validation_failed: { status: 400, message: "The request does not have the documented form." },
  invalid_cursor: {
    status: 400,
    message: "The cursor is not one that this list gave for these filters.",
  },
  missing_token: { status: 401, message: "The request carries no bearer token." },
  invalid_token: { status: 401, message: "The bearer token is not valid." },
  revoked_token: { status: 401, message: "The bearer token has been revoked." },
  expired_token: { status: 401, message: "The bearer token has expired." },
  insufficient_scope: { status: 403, message: "The bearer token lacks a scope that this needs." },
  account_suspended: { status: 403, message: "The account is suspended." },
  card_not_found: { status: 404, message: "There is no such card in this account." },
  batch_not_found: { status: 404, message: "There is no such batch in this account." },
  listing_not_found: { status: 404, message: "There is no such listing in this account." },
  route_not_found: { status: 404, message: "There is nothing at this path." },
  method_not_allowed: { status: 405, message: "This path does not take this method." },
  conflict: { status: 409, message: "The request does not fit the present state." },
  invalid_transition: { status: 409, message: "The present state does not allow this change." },
  already_listed: { status: 409, message: "The card has a listing that is publishing or live." },
  batch_complete: { status: 409, message: "The batch is complete." },
  identification_in_progress: {
    status: 409,
    message: "The card is being identified at this moment.",
  },
  idempotency_in_progress: {
    status: 409,
    message: "The first request with this idempotency key is still running.",
  },
  precondition_failed: { status: 412, message: "The card has changed since that version." },
  body_too_large: { status: 413, message: "The request body is too large." },
  unsupported_media_type: { status: 415, message: "The request body must be application/json." },
  identification_failed: { status: 422, message: "No provider could identify the card." },
  photo_unavailable: { status: 422, message: "There is no photo that can be used." },
  card_not_publishable: { status: 422, message: "The card cannot be published as it is." },
  idempotency_key_reused: {
    status: 422,
    message: "This idempotency key was used with another request body.",
  },
  rate_limit_exceeded: { status: 429, message: "Too many requests. Try again later." },
  internal_error: { status: 500, message: "Something failed on our side." },
  marketplace_error: { status: 502, message: "The marketplace answered with an error." },
  service_unavailable: { status: 503, message: "The service cannot answer now. Try again later." },
  upstream_timeout: { status: 504, message: "A provider did not answer in time." },
} as const satisfies Record<string, { status: number; message: string }>;

/**
 * What only the session's procedures (the web interface) can answer beside the above. Keys,
 * endpoints, events and members have no REST path, so the REST table has no code for them.
 */
export const sessionErrorTable = {
  sign_in_required: { status: 401, message: "Sign in to do this." },
  not_permitted: { status: 403, message: "Your role in this account does not allow this." },
  not_found: { status: 404, message: "There is no such thing in this account." },
} as const satisfies Record<string, { status: number; message: string }>;

/** The closed table: code → HTTP status and public sentence. */
export const errorTable = { ...restErrorTable, ...sessionErrorTable };

export type RestErrorCode = keyof typeof restErrorTable;
export type ErrorCode = keyof typeof errorTable;

export const restErrorCodes = Object.keys(restErrorTable) as RestErrorCode[];
export const errorCodes = Object.keys(errorTable) as ErrorCode[];

/** One thing that is wrong: where (members joined by dots, `""` for the whole) and what. */
export type ErrorDetail = { path: string; message: string };

export type VaultErrorOptions = {
  /** Public. Replaces the table's sentence. */
  message?: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
  /** For the log only. */
  cause?: unknown;
  /** For `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /** The methods that the path takes, for `Allow`. */
  allow?: readonly string[] | undefined;
};

/** The only error that crosses a room's edge. All of it but `cause` is public. */
export class VaultError extends Error {
  override readonly name = "VaultError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, options: VaultErrorOptions = {}) {
    super(
      options.message ?? errorTable[code].message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.status = errorTable[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }
}

/** The body of every error (spec, section 7): its three members always, the others where they help. */
export const errorAnswer = z
  .strictObject({
    error: z.strictObject({
      code: z
        .enum(restErrorCodes)
        .meta({ description: "For programs. Never changes its meaning." }),
      message: z.string().meta({ description: "For logs and people." }),
      status: z.int().min(400).max(599).meta({ description: "The HTTP status code." }),
      request_id: requestId.optional(),
      details: z
        .array(z.strictObject({ path: z.string(), message: z.string() }))
        .optional()
        .meta({ description: "What is wrong, and where." }),
    }),
  })
  .meta({
    id: "Error",
    description: "The body of every error.",
    examples: [
      {
        error: {
          code: "card_not_found",
          message: restErrorTable.card_not_found.message,
          status: 404,
          request_id: exampleId("req"),
        },
      },
    ],
  });

export type ErrorAnswer = {
  error: {
    code: ErrorCode;
    message: string;
    status: number;
    request_id?: string | undefined;
    details?: readonly ErrorDetail[] | undefined;
  };
};

/** The answer's body for an error. */
export function errorAnswerOf(error: VaultError, requestIdOfCall?: string): ErrorAnswer {
  return {
    error: {
      code: error.code,
      message: error.message,
      status: error.status,
      ...(requestIdOfCall === undefined ? {} : { request_id: requestIdOfCall }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  };
}
