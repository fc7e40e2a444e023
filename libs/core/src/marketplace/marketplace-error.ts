import { VaultError } from "@cardvault/contract";
import type { ErrorCode, ErrorDetail } from "@cardvault/contract";
import type { MarketplaceFailure, MarketplaceFailureCode } from "@cardvault/providers";
import type { ClosedMarketplace } from "./open-marketplace.ts";

const codes: Readonly<Record<MarketplaceFailureCode, ErrorCode>> = {
  timeout: "upstream_timeout",
  rate_limited: "service_unavailable",
  unavailable: "service_unavailable",
  cancelled: "service_unavailable",
  unauthorized: "marketplace_error",
  quota: "marketplace_error",
  malformed_answer: "marketplace_error",
  not_found: "marketplace_error",
  refused: "validation_failed",
  consent_revoked: "conflict",
};

/** The public error for a call of a person's that the marketplace did not do. */
export function marketplaceError(
  failure: MarketplaceFailure,
  pathOf: (field: string | null) => string = (field) => field ?? "",
): VaultError {
  const { code, problems, retryAfterMs } = failure;
  const details: ErrorDetail[] = problems.map(({ field, message }) => ({
    path: pathOf(field),
    message,
  }));
  const messages: Partial<Record<MarketplaceFailureCode, string>> = {
    consent_revoked: "eBay no longer lets us act for this account. Connect it again.",
    refused: problems[0]?.message ?? "eBay refused it.",
    unavailable: "eBay cannot be reached now. Try again later.",
    rate_limited: "eBay takes no more calls now. Try again later.",
    timeout: "eBay did not answer in time.",
  };
  return new VaultError(codes[code], {
    message: messages[code],
    ...(details.length === 0 ? {} : { details }),
    ...(retryAfterMs === null ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  });
}

/** 409 `conflict`: the account's marketplace cannot be asked as it stands. */
export function closedError({ message }: ClosedMarketplace): VaultError {
  return new VaultError("conflict", { message });
}
