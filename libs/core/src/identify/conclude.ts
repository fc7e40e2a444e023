import { VaultError } from "@cardvault/contract";
import type {
  Card,
  IdentifyAnswer,
  IdentificationStatus,
  Money,
  ReviewReason,
} from "@cardvault/contract";
import { changeAccount, finishIdentification } from "@cardvault/db";
import type { ChangeOrigin, Transaction } from "@cardvault/db";
import {
  decideCard,
  decideIdentification,
  evidenceOf,
  identificationNames,
  identificationOf,
  unknownIdentification,
} from "@cardvault/domain";
import type { CardOutcome, CardState, IdentificationFields } from "@cardvault/domain";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Access, Context } from "../context.ts";
import type { Services } from "../services.ts";
import { failuresOf, identificationAnswer, keptCandidateOf } from "./answer.ts";
import type { AskedEngines } from "./ask-engines.ts";
import { fieldsFrom } from "./field-names.ts";

/** What an identification came to, once it is written. */
export interface Conclusion {
  status: Extract<IdentificationStatus, "applied" | "review" | "failed" | "late">;
  answer: IdentifyAnswer;
  /** Why the card is in review; null where it is not, or was before. */
  reviewReason: ReviewReason | null;
  /** Its entry of the card's history; null where the card is as it was. */
  changedAt: Date | null;
  /** Both kinds of provider failed. The card's mark and the event are written all the same. */
  error: VaultError | null;
}

export interface ToConclude {
  id: string;
  by: ChangeOrigin;
  /** As it was when the identification began. */
  card: Card;
  threshold: number;
  asked: AskedEngines;
  /** What the card is worth, where the account wants to see valuable ones first. */
  worth: { value: Money | null; limit: Money } | undefined;
  recordAnswer?: Context["recordAnswer"] | undefined;
  also?: ((tx: Transaction, conclusion: Conclusion) => Promise<void>) | undefined;
}

/**
 * Writes what became of an identification: the card, its events, the evidence and the idempotent answer
 * in one commit.
 * @throws VaultError `identification_in_progress` where its lease was over and another took its place
 */
export async function concludeIdentification(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { id, by, card, threshold, asked, worth, recordAnswer, also }: ToConclude,
): Promise<Conclusion> {
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by }, async (unit) => {
    const before = await unit.cards.get(card.id);
    const decided = decide(before, { card, threshold, asked, worth }, unit.stamp);
    const { outcome, status } = decided;
    unit.cards.save(outcome.state);
    await writeOutcome(db, unit, access, outcome);
    const { leader, candidates } = asked.verdict;
    const reviewReason = status === "late" ? null : outcome.state.reviewReason;
    const changedAt = outcome.changed ? unit.stamp : null;
    const fields = leader === null ? [] : evidenceOf(leader, asked.findings);
    await finishIdentification(unit.tx, {
      id,
      accountId,
      status,
      reviewReason,
      candidates: candidates.map(keptCandidateOf),
      evidence: fields.map(({ name, agreeing, disagreeing, value }) => ({
        field: identificationNames[name],
        value,
        agreeing,
        disagreeing,
      })),
      attempts: asked.attempts,
      changedAt,
      now: clock.now(),
    });
    const conclusion: Conclusion = {
      status,
      reviewReason,
      changedAt,
      answer: identificationAnswer(asked, { cardId: card.id, identified: status === "applied" }),
      error: status === "failed" ? new VaultError("identification_failed") : null,
    };
    await also?.(unit.tx, conclusion);
    await recordAnswer?.(unit.tx, conclusion.error ?? conclusion.answer);
    return conclusion;
  });
}

function decide(
  before: CardState,
  { card, threshold, asked, worth }: Pick<ToConclude, "card" | "threshold" | "asked" | "worth">,
  now: Date,
): { outcome: CardOutcome; status: Conclusion["status"] } {
  const { leader, doubt } = asked.verdict;
  if (leader === null) {
    const failure = { photo_url: null, attempts: failuresOf(asked) };
    return {
      outcome: decideCard(before, { type: "identification_failed", failure }, now),
      status: "failed",
    };
  }
  const outcome = decideIdentification(
    before,
    {
      provider: leader.provider,
      confidence: leader.confidence,
      threshold,
      fields: leader.fields,
      externalIds: leader.externalIds,
      grading: leader.grading,
      expected: expectedOf(card, before),
      doubt,
      value: worth?.value ?? null,
      highValueLimit: worth?.limit ?? null,
    },
    now,
  );
  return { outcome, status: outcome.result };
}

/** A card that was identified when the call began is late from the start. */
function expectedOf(card: Card, before: CardState): IdentificationFields {
  if (card.status === "identified") return identificationOf(before);
  return { ...unknownIdentification, ...fieldsFrom(card) };
}
