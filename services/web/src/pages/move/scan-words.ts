import type { Scan, ScannedCardAnswer, ScanOutcome } from "@cardvault/contract";
import {
  IconAlertTriangle,
  IconArchive,
  IconArrowBackUp,
  IconCircleCheck,
  IconCopy,
  IconMapPin,
  IconPointFilled,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import type { Tone } from "../../parts/chip.tsx";

/** What each outcome is called, and how it looks. */
export const outcomeLooks: Record<ScanOutcome, { tone: Tone; icon: Icon; words: string }> = {
  place: { tone: "busy", icon: IconMapPin, words: "Place" },
  moved: { tone: "good", icon: IconCircleCheck, words: "Moved" },
  already_here: { tone: "quiet", icon: IconPointFilled, words: "Already here" },
  unknown: { tone: "bad", icon: IconAlertTriangle, words: "Unknown" },
  ambiguous: { tone: "warning", icon: IconCopy, words: "Several cards" },
  sold: { tone: "bad", icon: IconAlertTriangle, words: "Sold" },
  archived: { tone: "warning", icon: IconArchive, words: "Archived" },
};
export const undoneLook = { tone: "quiet", icon: IconArrowBackUp, words: "Undone" } as const;

/** Outcomes that somebody has to do something about. */
export function isTrouble({ outcome, undone_at }: Scan): boolean {
  return (
    undone_at === null &&
    (outcome === "unknown" ||
      outcome === "ambiguous" ||
      outcome === "sold" ||
      outcome === "archived")
  );
}

/** `Charged Serpent, Storm Harbour 12/180`; of a card that is not identified, its SKU. */
export function cardName({ title, set, number, sku, id }: ScannedCardAnswer): string {
  const printed = [set, number].filter((part) => part !== null).join(" ");
  const name = title ?? sku ?? id;
  return printed === "" ? name : `${name}, ${printed}`;
}

/** What came of a scan, as a sentence. */
export function scanSentence(scan: Scan): string {
  const { outcome, text, location, from_location: from, card } = scan;
  const name = card === null ? text : cardName(card);
  switch (outcome) {
    case "place":
      return `Cards that you scan now go to ${location ?? text}.`;
    case "moved":
      return from === null ? `${name} had no place.` : `${name} was at ${from}.`;
    case "already_here":
      return `${name} was here already.`;
    case "unknown":
      return `No card and no place has the code ${text}.`;
    case "ambiguous":
      return `${scan.candidates.length} cards have the code ${text}. Choose one.`;
    case "sold":
      return `${name} is sold, and was not moved.`;
    case "archived":
      return `${name} is archived, and was not moved.`;
  }
}
