import type { ReviewItem } from "@cardvault/contract";
import { nameOf } from "./queue-state.ts";
import type { Decision } from "./queue-state.ts";

/** What has just been decided, in a sentence. */
export function decisionWords(item: ReviewItem, decision: Decision): string {
  if (decision.type === "skip") return `${nameOf(item)} waits at the end.`;
  if (decision.type === "correct") return `${decision.fields.title} is identified.`;
  const chosen =
    decision.candidate === null
      ? item.card.title
      : item.candidates[decision.candidate - 1]?.identification.title;
  return `${chosen ?? nameOf(item)} is identified.`;
}

/** Why a decision did not count, and what comes of the card. */
export function refusalWords(item: ReviewItem, code: string): string {
  const name = nameOf(item);
  if (code === "precondition_failed") {
    return `${name} was changed while it was shown. Where it still waits, it comes again as it is now.`;
  }
  if (code === "conflict") return `${name} is with somebody else now. Here is the next one.`;
  if (code === "invalid_transition" || code === "card_not_found") {
    return `${name} no longer needs review. Here is the next one.`;
  }
  return `${name} could not be decided about (${code}). It comes again.`;
}
