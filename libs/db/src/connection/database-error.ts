import { VaultError } from "@cardvault/contract";
import type { ErrorCode } from "@cardvault/contract";

/** What a broken rule of the schema means to the outside. Everything else unique is a conflict. */
const constraintErrors: Record<string, { code: ErrorCode; message?: string }> = {
  card_account_id_sku_key: { code: "conflict", message: "Another card has this SKU." },
  batch_account_id_code_key: { code: "conflict", message: "Another batch has this code." },
  listing_open_key: { code: "already_listed" },
  inventory_view_name_key: { code: "conflict", message: "You have a view of this name already." },
};

const sqlState = /^[0-9A-Z]{5}$/;
const sqlStates = {
  uniqueViolation: "23505",
  foreignKeyViolation: "23503",
  deadlock: "40P01",
  serialization: "40001",
};

/** Cancelled by a timeout, no lock in time, no connections left, shutting down, starting up. */
const unavailableStates = ["57014", "55P03", "53300", "57P01", "57P02", "57P03", "25P03"];
const networkCodes = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOTFOUND", "ETIMEDOUT", "EAI_AGAIN"];

interface DriverError {
  code?: unknown;
  constraint?: unknown;
  message?: unknown;
}

/** Whether the same transaction, begun again, can succeed. */
export function canRetry(error: unknown): boolean {
  const cause = error instanceof VaultError ? error.cause : error;
  const code = (cause as DriverError | undefined)?.code;
  return code === sqlStates.deadlock || code === sqlStates.serialization;
}

/**
 * The error of the closed table for what the driver threw; anything that is not the driver's is given
 * back as it is.
 */
export function databaseError(error: unknown): unknown {
  if (error instanceof VaultError || !(error instanceof Error)) return error;
  const { code, constraint, message } = error as DriverError;
  if (isConnectionLoss(code, message)) {
    return new VaultError("service_unavailable", { cause: error, retryAfterSeconds: 1 });
  }
  if (typeof code !== "string" || !sqlState.test(code)) return error;
  if (code === sqlStates.uniqueViolation || code === sqlStates.foreignKeyViolation) {
    const known = typeof constraint === "string" ? constraintErrors[constraint] : undefined;
    return new VaultError(known?.code ?? "conflict", { message: known?.message, cause: error });
  }
  return new VaultError("internal_error", { cause: error });
}

function isConnectionLoss(code: unknown, message: unknown): boolean {
  if (typeof code === "string") {
    return unavailableStates.includes(code) || networkCodes.includes(code) || code.startsWith("08");
  }
  // pg gives its own failures of a connection no code.
  return (
    typeof message === "string" &&
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/.test(
      message,
    )
  );
}
