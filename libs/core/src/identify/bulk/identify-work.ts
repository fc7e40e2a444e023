import { VaultError } from "@cardvault/contract";
import type { ReviewReason } from "@cardvault/contract";
import { identifyCard } from "../identify.ts";
import type { CardNeeds } from "../identify.ts";
import type { Conclusion } from "../conclude.ts";
import type { CardResult, ProviderTask } from "./provider-handler.ts";

/** Identifies one card of a job. One that is identified already is left alone, and nobody is asked. */
export async function identifyWork(needs: CardNeeds, task: ProviderTask): Promise<void> {
  const { access, card, payload, jobId, commit, settle, throwsOutage } = task;
  const { work } = payload;
  if (work.type !== "identify") throw new TypeError(`Not a job that identifies: ${work.type}`);
  if (card.status === "identified") {
    const known = {
      outcome: "skipped",
      code: "already_identified",
      message: "The card is identified already.",
    } as const;
    await commit(() => needs.db.transaction((tx) => settle(tx, known)));
    return;
  }
  try {
    await identifyCard(needs, access, card, {
      game: work.game,
      jobId,
      commit,
      throwsOutage,
      also: (tx, conclusion) =>
        settle(tx, { ...resultOf(conclusion), isInReview: conclusion.reviewReason !== null }),
    });
  } catch (error) {
    // It is concluded and settled: that both providers failed is the card's result.
    if (error instanceof VaultError && error.code === "identification_failed") return;
    throw error;
  }
}

const reviewMessages: Partial<Record<ReviewReason, string>> = {
  low_confidence: "Not sure enough: it is in review.",
  ambiguous: "More than one card fits: it is in review.",
  unreadable: "Not enough of it could be read: it is in review.",
  high_value: "Identified, and in review because it is valuable.",
};

function resultOf({ status, reviewReason, changedAt, error }: Conclusion): CardResult {
  const remark = {
    code: reviewReason ?? undefined,
    message: reviewReason === null ? undefined : reviewMessages[reviewReason],
  };
  const at = changedAt ?? undefined;
  switch (status) {
    case "applied":
      return { outcome: "changed", changedAt: at, ...remark };
    case "review":
      return { outcome: "skipped", changedAt: at, ...remark };
    case "late":
      return {
        outcome: "skipped",
        changedAt: at,
        code: "changed_since",
        message: "The card was edited while it was looked at.",
      };
    case "failed":
      return { outcome: "failed", changedAt: at, code: error?.code, message: error?.message };
  }
}
