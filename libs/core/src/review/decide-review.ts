import {
  queueReasons,
  reviewAcceptInput,
  reviewCorrectInput,
  reviewDecisionAnswer,
  reviewSkipInput,
  VaultError,
} from "@cardvault/contract";
import type { Card, ReviewAccept, ReviewCorrect, ReviewDecisionKind } from "@cardvault/contract";
import {
  changeAccount,
  findIdentification,
  findReviewHolder,
  getCard,
  writeReviewDecision,
} from "@cardvault/db";
import type { AccountUnit } from "@cardvault/db";
import { decideCard, gradingAfter, gradingFrom } from "@cardvault/domain";
import type { CardCommand, CardState, IdentificationPatch } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import { cardPatchFrom } from "../cards/card-patch.ts";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Access } from "../context.ts";
import { fieldsFrom } from "../identify/field-names.ts";
import { keptCandidates } from "../identify/record-answer.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import type { Reviewer } from "./next-reviews.ts";

type Needs = Pick<Services, "db" | "clock" | "photoUrls">;

/**
 * Applies the candidate that a reviewer chose, with what its identification knows of other ids; or clears
 * a mark that asks for no choice.
 * @throws VaultError `card_not_found`; `not_found` for an unknown identification; `validation_failed` where a choice
 * is needed or there is no such candidate; `precondition_failed`; `conflict`; `invalid_transition`
 */
async function acceptReview(
  needs: Needs,
  access: Access,
  reviewer: Reviewer,
  { card_id: cardId, version, choice }: ReviewAccept,
): Promise<Card> {
  return decide(
    needs,
    access,
    reviewer,
    { cardId, version, kind: "accepted" },
    async (unit, card) => {
      if (choice === undefined) {
        if (card.status !== "identified") throw invalid("choice", "This card needs a candidate");
        return [{ type: "accept_review" }];
      }
      const { identification_id: id, candidate: place } = choice;
      const found = isId("idn", id)
        ? await findIdentification(unit.tx, access.accountId, id)
        : null;
      if (found === null || found.cardId !== cardId) throw new VaultError("not_found");
      const chosen = keptCandidates(found)[place - 1];
      if (chosen === undefined) throw invalid("choice.candidate", "There is no such candidate");
      const { title } = chosen.identification;
      if (title === null) throw invalid("choice.candidate", "This candidate has no title");
      const identification = patchOf(chosen.identification, card);
      const externalIds = { ...chosen.external_ids, ...card.externalIds };
      const grading = gradingAfter(card, gradingFrom(chosen.grading));
      const patch = grading === card.grading ? { externalIds } : { externalIds, grading };
      const accountCurrency = unit.account.currency;
      return [
        { type: "accept_review", identification },
        { type: "edit", patch, accountCurrency },
      ];
    },
  );
}

/** What a candidate does not know stays as the card has it. */
function patchOf(
  identification: ReturnType<typeof keptCandidates>[number]["identification"],
  card: CardState,
): IdentificationPatch {
  const known = Object.entries(fieldsFrom(identification)).filter(
    ([, value]) => value !== null && (value !== false || card.status === "imported"),
  );
  return Object.fromEntries(known) as IdentificationPatch;
}

/**
 * What a reviewer wrote by hand, and the card leaves the queue.
 * @throws VaultError as `acceptReview`
 */
async function correctReview(
  needs: Needs,
  access: Access,
  reviewer: Reviewer,
  { card_id: cardId, version, fields }: ReviewCorrect,
): Promise<Card> {
  const step = { cardId, version, kind: "corrected" } as const;
  return decide(needs, access, reviewer, step, (unit) => {
    const { title, game, set, setCode, number, year, subject, team, ...patch } =
      cardPatchFrom(fields);
    const { manufacturer, variant, rarity, language, printRun, serialNumber, ...others } = patch;
    const { isRookie, isAutograph, isMemorabilia, ...rest } = others;
    const identification: IdentificationPatch = {
      title,
      game,
      set,
      setCode,
      number,
      year,
      subject,
      team,
      manufacturer,
      variant,
      rarity,
      language,
      printRun,
      serialNumber,
      isRookie,
      isAutograph,
      isMemorabilia,
    };
    const accountCurrency = unit.account.currency;
    return [
      { type: "accept_review", identification },
      { type: "edit", patch: rest, accountCurrency },
    ];
  });
}

/** To the end of this reviewer's queue; nothing of the card changes. */
async function skipReview(
  { db, clock, photoUrls }: Needs,
  { accountId }: Access,
  { userId }: Reviewer,
  cardId: string,
): Promise<Card> {
  const card = await getCard(db, accountId, cardId, photoUrls.urlOf);
  requireInQueue(card.review_reason);
  const decidedAt = clock.now();
  await db.transaction(async (tx) => {
    await requireHeldByNobodyElse(tx, accountId, cardId, { userId, now: decidedAt });
    const decision = { cardId, kind: "skipped", decidedAt, changedAt: null } as const;
    await writeReviewDecision(tx, { ...decision, accountId, userId });
  });
  return card;
}

async function decide(
  { db, clock, photoUrls }: Needs,
  access: Access,
  { userId }: Reviewer,
  { cardId, version, kind }: { cardId: string; version: number; kind: ReviewDecisionKind },
  commandsFor: (
    unit: AccountUnit,
    card: CardState,
  ) => readonly CardCommand[] | Promise<readonly CardCommand[]>,
): Promise<Card> {
  const { accountId } = access;
  if (!isId("card", cardId)) throw new VaultError("card_not_found");
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const before = await unit.cards.get(cardId);
    if (before.version !== version) throw new VaultError("precondition_failed");
    requireInQueue(before.reviewReason);
    const decidedAt = clock.now();
    await requireHeldByNobodyElse(unit.tx, accountId, cardId, { userId, now: decidedAt });
    let card = before;
    for (const command of await commandsFor(unit, before)) {
      const outcome = decideCard(card, command, unit.stamp);
      card = { ...outcome.state, version: before.version + 1 };
      await writeOutcome(db, unit, access, outcome);
    }
    unit.cards.save(card);
    await writeReviewDecision(unit.tx, {
      accountId,
      userId,
      cardId,
      kind,
      decidedAt,
      changedAt: unit.stamp,
    });
    await unit.tx.em.flush();
    return getCard(unit.tx, accountId, cardId, photoUrls.urlOf);
  });
}

type Tx = Parameters<typeof findReviewHolder>[0];

async function requireHeldByNobodyElse(
  tx: Tx,
  accountId: string,
  cardId: string,
  reviewer: { userId: string; now: Date },
): Promise<void> {
  const holder = await findReviewHolder(tx, accountId, cardId, reviewer);
  if (holder === null) return;
  throw new VaultError("conflict", { message: "Somebody else is reviewing this card." });
}

/** What concerns copies is settled where its listing is. */
function requireInQueue(reason: Card["review_reason"]): void {
  if (reason !== null && (queueReasons as readonly string[]).includes(reason)) return;
  throw new VaultError("invalid_transition", { message: "The card is not in the review queue." });
}

function invalid(path: string, message: string): VaultError {
  return new VaultError("validation_failed", { details: [{ path, message }] });
}

export const acceptReviewProcedure = session()
  .input(reviewAcceptInput)
  .output(reviewDecisionAnswer)
  .mutation(async ({ ctx: { services, access, principal }, input }) => ({
    card: await acceptReview(services, access, principal, input),
  }));

export const correctReviewProcedure = session()
  .input(reviewCorrectInput)
  .output(reviewDecisionAnswer)
  .mutation(async ({ ctx: { services, access, principal }, input }) => ({
    card: await correctReview(services, access, principal, input),
  }));

export const skipReviewProcedure = session()
  .input(reviewSkipInput)
  .output(reviewDecisionAnswer)
  .mutation(async ({ ctx: { services, access, principal }, input }) => ({
    card: await skipReview(services, access, principal, input.card_id),
  }));
