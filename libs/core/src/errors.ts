import { VaultError, validationDetails } from "@cardvault/contract";
import { TRPCError } from "@trpc/server";
import * as z from "zod";

const trpcCodes = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  412: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  502: "BAD_GATEWAY",
  503: "SERVICE_UNAVAILABLE",
  504: "GATEWAY_TIMEOUT",
} as const;

/** The tRPC code whose HTTP status is the given one. */
export function trpcCodeOf(status: number): TRPCError["code"] {
  return trpcCodes[status as keyof typeof trpcCodes] ?? "INTERNAL_SERVER_ERROR";
}

/**
 * The public error of anything that a procedure throws. What is not ours is `internal_error`, with
 * the thrown thing as its cause, for the log.
 */
export function errorOf(error: unknown): VaultError {
  if (error instanceof VaultError) return error;
  if (!(error instanceof TRPCError)) return new VaultError("internal_error", { cause: error });
  if (error.cause instanceof VaultError) return error.cause;
  // A wrong output is our own fault, and has another code than a wrong input.
  if (error.code === "BAD_REQUEST" && error.cause instanceof z.core.$ZodError) {
    return new VaultError("validation_failed", {
      details: validationDetails(error.cause),
      cause: error.cause,
    });
  }
  switch (error.code) {
    case "BAD_REQUEST":
    case "PARSE_ERROR":
      return new VaultError("invalid_json", { cause: error });
    case "NOT_FOUND":
      return new VaultError("route_not_found", { cause: error });
    case "METHOD_NOT_SUPPORTED":
      return new VaultError("method_not_allowed", { cause: error });
    case "PAYLOAD_TOO_LARGE":
      return new VaultError("body_too_large", { cause: error });
    case "UNSUPPORTED_MEDIA_TYPE":
      return new VaultError("unsupported_media_type", { cause: error });
    default:
      return new VaultError("internal_error", { cause: error });
  }
}
