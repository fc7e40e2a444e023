import type { Job } from "@cardvault/contract";
import { reviewWords } from "./words.ts";

/** What a kind of job does, and what it did, as the first word of a sentence. */
const words: Record<string, { doing: string; done: string }> = {
  "bulk.set_price": { doing: "Setting prices", done: "Prices set" },
  "bulk.price_rule": { doing: "Pricing by rule", done: "Priced by rule" },
  "bulk.move": { doing: "Moving cards", done: "Cards moved" },
  "bulk.set_fields": { doing: "Editing cards", done: "Cards edited" },
  "bulk.set_status": { doing: "Changing the stage", done: "Stage changed" },
  "bulk.put_in_batch": { doing: "Putting cards in a batch", done: "Cards put in a batch" },
  "bulk.remove_from_batch": { doing: "Taking cards out of a batch", done: "Taken out of a batch" },
  "bulk.identify": { doing: "Identifying cards", done: "Cards identified" },
  "bulk.lookup_prices": { doing: "Looking up prices", done: "Prices looked up" },
  "bulk.publish_listings": { doing: "Publishing cards", done: "Cards published" },
  "bulk.end_listings": { doing: "Ending listings", done: "Listings ended" },
  "bulk.revise_listings": { doing: "Revising listings", done: "Listings revised" },
  "bulk.patch_each": { doing: "Writing the spreadsheet", done: "Spreadsheet written" },
  "bulk.undo": { doing: "Undoing", done: "Undone" },
  "batch.spread_cost": { doing: "Spreading the cost", done: "Cost spread" },
  "location.rename": { doing: "Renaming a place", done: "Place renamed" },
  "card.assign_skus": { doing: "Giving SKUs", done: "SKUs given" },
  "import.check": { doing: "Checking a list", done: "List checked" },
  "import.commit": { doing: "Importing a list", done: "List imported" },
  "import.undo": { doing: "Taking back an import", done: "Import taken back" },
  "photos.import": { doing: "Importing photos", done: "Photos imported" },
  "webhook.redeliver": { doing: "Sending dropped events again", done: "Dropped events sent again" },
  "webhook.recover": { doing: "Recovering events", done: "Events recovered" },
};

export function isUnderWay({ status }: Pick<Job, "status">): boolean {
  return status === "queued" || status === "running" || status === "paused";
}

/** `Pricing by rule` while it is under way, `Priced by rule` once it has ended. */
export function jobTitle(job: Pick<Job, "kind" | "status">): string {
  const known = words[job.kind];
  if (known === undefined) return job.kind.replaceAll(/[._]/g, " ");
  return job.status === "done" ? known.done : known.doing;
}

/** Work of the installation itself, which no account sees. */
const ofInstallation: Record<string, string> = {
  "webhook.retention": "Old log entries removed",
  "notice.mail": "Notices mailed",
};

/** A kind of job, whatever became of it: `Priced by rule`. */
export function jobKindWords(kind: string): string {
  return words[kind]?.done ?? ofInstallation[kind] ?? kind.replaceAll(/[._]/g, " ");
}

const reasons: Record<string, string> = {
  other_currency: "Its price is in another currency",
  out_of_range: "Its price would be out of range",
  changed_since: "Changed since then",
  not_in_batch: "In another batch",
  card_not_found: "The card is gone",
  not_listed: "Without an open listing",
  card_not_publishable: "Cannot be published as it is",
  invalid_transition: "Not possible at its stage",
  no_progress: "Gave up: too many runs without getting on",
  ...reviewWords,
};

/** The code of a reason as somebody reads it: `no_market_price` is "No market price". */
export function reasonWords(code: string): string {
  const plain = code.replaceAll("_", " ");
  return reasons[code] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Whether what became of each card of it is kept, and can be asked for. */
export function hasItems({ kind }: Pick<Job, "kind">): boolean {
  return /^(?:bulk|batch|location|card)\./.test(kind);
}

/** `12,351 changed, 80 skipped, 1 failed`; what is 0 is left out. */
export function outcomeWords({ progress, kind }: Pick<Job, "progress" | "kind">): string {
  const { changed, skipped, failed } = progress;
  const isOfEvents = kind.startsWith("webhook.re");
  const parts = [`${changed.toLocaleString()} ${isOfEvents ? "sent again" : "changed"}`];
  if (skipped > 0)
    parts.push(`${skipped.toLocaleString()} ${isOfEvents ? "left alone" : "skipped"}`);
  if (failed > 0) parts.push(`${failed.toLocaleString()} failed`);
  return parts.join(", ");
}
