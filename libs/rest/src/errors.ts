import { VaultError, errorAnswerOf } from "@cardvault/contract";
import type { ErrorAnswer } from "@cardvault/contract";
import { errorOf } from "@cardvault/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "./operations.ts";

/** The few errors of the HTTP layer that a client can cause, by Fastify's code for them. */
function httpErrorOf(error: unknown): VaultError | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new VaultError("body_too_large", { cause: error });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
    case "FST_ERR_CTP_INVALID_TYPE":
      return new VaultError("unsupported_media_type", { cause: error });
    // A scope that reads JSON with Fastify's own parser.
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    // Fewer or more bytes came than were announced.
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "ECONNRESET":
      return new VaultError("invalid_json", { cause: error });
    default:
      return undefined;
  }
}

/** A value of a repeated parameter is named by the parameter: clients never see our arrays. */
function namingParameters(error: VaultError): VaultError {
  return new VaultError(error.code, {
    message: error.message,
    cause: error.cause,
    details: error.details?.map(({ path, message }) => ({
      path: path.replace(/\.\d+$/, ""),
      message: message === "Unknown member" ? "Unknown parameter" : message,
    })),
  });
}

/** The public error of anything that was thrown on the way of a REST request. */
export function restErrorOf(error: unknown, operation?: Operation): VaultError {
  const vaultError = httpErrorOf(error) ?? errorOf(error);
  return vaultError.code === "validation_failed" && operation?.takesBody === false
    ? namingParameters(vaultError)
    : vaultError;
}

const defaultRetrySeconds = 1;

/** The headers that an error brings with it. */
export function errorHeaders(error: VaultError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.status === 401) headers["www-authenticate"] = 'Bearer realm="vault"';
  if (error.allow !== undefined) headers["allow"] = error.allow.join(", ");
  const waits = error.status === 429 || error.status === 503;
  if (waits || error.retryAfterSeconds !== undefined) {
    headers["retry-after"] = String(error.retryAfterSeconds ?? defaultRetrySeconds);
  }
  return headers;
}

export function errorBody(error: VaultError, requestId: string): string {
  return JSON.stringify(errorAnswerOf(error, requestId) satisfies ErrorAnswer);
}

/** Nothing has failed: this process cannot take it now, because it ends, or cannot keep up. */
export function isTurnedAway(error: VaultError): boolean {
  return error.code === "service_unavailable" && error.cause === undefined;
}

/** Writes an error as the one answer that the API has for it. What is internal goes to the log. */
export function sendError(error: VaultError, request: FastifyRequest, reply: FastifyReply): void {
  const { id: requestId, log } = request;
  if (isTurnedAway(error)) {
    log.warn({ code: error.code, requestId }, "A request was turned away");
  } else if (error.status >= 500) {
    log.error({ err: error.cause ?? error, code: error.code, requestId }, "A request failed");
  } else {
    log.info({ code: error.code, details: error.details, requestId }, "A request was refused");
  }
  void reply
    .code(error.status)
    .headers(errorHeaders(error))
    .header("content-type", "application/json; charset=utf-8")
    .send(errorBody(error, request.id));
}
