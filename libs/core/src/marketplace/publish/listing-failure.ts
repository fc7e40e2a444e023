import type { MarketplaceFailure, MarketplaceFailureCode } from "@cardvault/providers";
import type { ListingError } from "@cardvault/domain";

const sentences: Record<MarketplaceFailureCode, string> = {
  timeout: "The marketplace did not answer in time.",
  rate_limited: "The marketplace takes no more calls at this moment.",
  unauthorized: "The marketplace does not accept this installation's key.",
  quota: "The marketplace's allowance of calls is used up.",
  refused: "The marketplace refused it.",
  malformed_answer: "The marketplace answered something that makes no sense.",
  unavailable: "The marketplace cannot be reached.",
  cancelled: "The call was broken off.",
  consent_revoked: "The marketplace account must be connected again.",
  not_found: "The marketplace does not know it any more.",
};

/** Why the marketplace did not do it, as a listing shows it: all that is wrong, at the first one's field. */
export function listingErrorOf({ code, problems }: MarketplaceFailure): ListingError {
  const [first] = problems;
  if (first === undefined) return { code, message: sentences[code], field: null };
  const message = [...new Set(problems.map((problem) => problem.message))].join(" ");
  return { code: first.code, message: message.slice(0, 1_000), field: first.field };
}

/** What is wrong with the listing itself, and will not pass by waiting. */
export function isRefusal({ code, isPassing }: MarketplaceFailure): boolean {
  return code === "refused" && !isPassing;
}

const waitsMs = [1_000, 5_000, 20_000, 60_000, 180_000, 600_000, 1_800_000];
const hourMs = 60 * 60 * 1_000;

/** Longer each time, up to half an hour; longer still where the marketplace asks for it, up to one. */
export function waitAfterMs(tries: number, retryAfterMs: number | null): number {
  const own = waitsMs[Math.min(tries, waitsMs.length - 1)] ?? 0;
  return Math.max(own, Math.min(retryAfterMs ?? 0, hourMs));
}
