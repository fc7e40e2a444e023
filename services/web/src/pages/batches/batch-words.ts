import type { BatchStatus, UnfinishedKind } from "@cardvault/contract";
import { IconCircleCheck, IconFolderOpen, IconLoader } from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import type { Tone } from "../../parts/chip.tsx";

export const batchLooks: Record<BatchStatus, { tone: Tone; icon: Icon; words: string }> = {
  open: { tone: "quiet", icon: IconFolderOpen, words: "Open" },
  processing: { tone: "busy", icon: IconLoader, words: "A job works on it" },
  complete: { tone: "good", icon: IconCircleCheck, words: "Complete" },
};

/** What cards still lack, as it stands behind a number: `12 not identified`. */
export const unfinishedWords: Record<UnfinishedKind, string> = {
  not_identified: "not identified",
  needs_review: "in review",
  without_price: "without a price",
  without_photo: "without a photo",
  without_location: "without a location",
  without_cost: "without a cost",
};

/** A day as it was written down, whatever the reader's time zone. */
export function dayWords(moment: string): string {
  return new Date(moment).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });
}
