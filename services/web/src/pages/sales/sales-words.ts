import type { ListingEndReason, ListingStatus, UnmatchedReason } from "@cardvault/contract";
import {
  IconAlertTriangle,
  IconBuildingStore,
  IconCircleCheck,
  IconCircleOff,
  IconProgress,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import type { Tone } from "../../parts/chip.tsx";

export const listingLooks: Record<ListingStatus, { tone: Tone; icon: Icon; words: string }> = {
  publishing: { tone: "busy", icon: IconProgress, words: "Publishing" },
  live: { tone: "good", icon: IconBuildingStore, words: "Live" },
  sold: { tone: "good", icon: IconCircleCheck, words: "Sold" },
  ended: { tone: "quiet", icon: IconCircleOff, words: "Ended" },
  failed: { tone: "bad", icon: IconAlertTriangle, words: "Failed" },
};

export const endReasonWords: Record<ListingEndReason, string> = {
  withdrawn: "Withdrawn",
  expired: "Ran out",
  ended_by_marketplace: "Ended by eBay",
  out_of_stock: "Out of stock",
};

export const unmatchedWords: Record<UnmatchedReason, string> = {
  no_listing: "Neither its listing nor its SKU is known here",
  other_currency: "It is not in the account's currency",
  refused: "Its listing could not take it",
};

const syncFailureWords: Readonly<Record<string, string>> = {
  consent_revoked: "eBay no longer lets us read this account. An owner has to connect it again.",
  not_connected: "The account is not connected to eBay, so nothing is read there.",
  not_configured: "This installation is not set up for eBay, so nothing is read there.",
  rate_limited: "eBay has had too many questions from us. It is asked again soon.",
};

/** Why the marketplace is not read just now. */
export function syncFailureOf(code: string): string {
  return syncFailureWords[code] ?? "eBay cannot be read just now. It is tried again by itself.";
}
