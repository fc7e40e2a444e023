import { identifyAnswer, identifyInput, VaultError } from "@cardvault/contract";
import type { Card, IdentifyAnswer, IdentifyRequest } from "@cardvault/contract";
import {
  beginIdentification,
  changeAccount,
  findSettings,
  getCard,
  interruptIdentification,
  requireNotIdentifying,
} from "@cardvault/db";
import { identifyFailed } from "@cardvault/domain";
import type { Access, Context } from "../context.ts";
import { compiled, documented } from "../procedures.ts";
import type { Services } from "../services.ts";
import { failuresOf, identificationAnswer } from "./answer.ts";
import { askEngines } from "./ask-engines.ts";
import type { AskedEngines } from "./ask-engines.ts";
import { concludeIdentification } from "./conclude.ts";
import type { ToConclude } from "./conclude.ts";
import { pictureAtAddress, picturesOfCard } from "./engine-pictures.ts";
import { highValueOf } from "./high-value.ts";
import { BudgetSpentError } from "./metered-call.ts";

/** What identifying a card by its own photos needs. */
export type CardNeeds = Pick<
  Services,
  "db" | "clock" | "logger" | "engines" | "pictureStore" | "photoUrls"
>;
type IdentifyNeeds = CardNeeds & Pick<Services, "pictures" | "photoClient">;

/** Longer than engines are waited for: past it the card is free for another call. */
const leaseMs = 75_000;

/**
 * `POST /identify`. No provider is asked inside of the account's transaction: the identification is begun
 * in one commit and concluded in another, and what was edited between them wins.
 * @throws VaultError `card_not_found`; `identification_in_progress`; `photo_unavailable`;
 * `identification_failed`
 */
async function identify(
  needs: IdentifyNeeds,
  access: Access,
  request: IdentifyRequest,
  { recordAnswer }: Pick<Context, "recordAnswer"> = {},
): Promise<IdentifyAnswer> {
  const { card_id: cardId, photo_url: photoUrl, game, dry_run: isDryRun = false } = request;
  if (cardId !== undefined) {
    const card = await getCard(needs.db, access.accountId, cardId, needs.photoUrls.urlOf);
    return isDryRun
      ? tryCard(needs, access, card, game)
      : identifyCard(needs, access, card, { game, recordAnswer });
  }
  return identifyPhoto(needs, access, photoUrl ?? "", { game, isDryRun, recordAnswer });
}

interface IdentifyCardOptions {
  game?: string | undefined;
  recordAnswer?: Context["recordAnswer"];
  /** The job whose work it is. It waits where the account may not spend more: `BudgetSpentError`. */
  jobId?: string | undefined;
  /** Runs the conclusion, in the caller's own turn. */
  commit?: (<T>(write: () => Promise<T>) => Promise<T>) | undefined;
  /** What is written in the conclusion's own commit. */
  also?: ToConclude["also"];
  /** An outage is thrown, as `service_unavailable`, before anything is concluded: the card is free again. */
  throwsOutage?: boolean | undefined;
}

/** Identifies a card by its photos, and applies what is found. */
export async function identifyCard(
  needs: CardNeeds,
  access: Access,
  card: Card,
  { game, recordAnswer, jobId, commit, also, throwsOutage = false }: IdentifyCardOptions,
): Promise<IdentifyAnswer> {
  const { db, clock } = needs;
  const { accountId, actor } = access;
  const pictures = await picturesOfCard(needs, access, card.id);
  const settings = await settingsOf(needs, access);
  const { reviewThreshold: threshold } = settings;
  const now = clock.now();
  const by = { actor, via: "provider", jobId } as const;
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const id = await beginIdentification(db, {
    accountId,
    cardId: card.id,
    threshold,
    by,
    now,
    leaseUntil,
  });
  try {
    const question = { pictures, game: game ?? card.game ?? undefined, threshold };
    const asked = await askEngines(needs, access, question);
    if (jobId !== undefined && asked.outage?.isBudget === true) throw new BudgetSpentError();
    if (throwsOutage) requireNoOutage(asked);
    const { leader, isSure } = asked.verdict;
    const worth =
      isSure && leader !== null && card.status === "imported"
        ? await highValueOf(needs, access, settings.highValueLimit, { card, leader })
        : undefined;
    const conclude = () =>
      concludeIdentification(needs, access, {
        id,
        by,
        card,
        threshold,
        asked,
        worth,
        recordAnswer,
        also,
      });
    const conclusion = await (commit === undefined ? conclude() : commit(conclude));
    if (conclusion.error !== null) throw conclusion.error;
    return conclusion.answer;
  } catch (error) {
    await interruptIdentification(db, accountId, id, clock.now());
    throw error;
  }
}

/** What would be found, and nothing else: no mark, no event, no evidence. */
async function tryCard(
  needs: CardNeeds,
  access: Access,
  card: Card,
  game: string | undefined,
): Promise<IdentifyAnswer> {
  const pictures = await picturesOfCard(needs, access, card.id);
  await requireNotIdentifying(needs.db, access.accountId, card.id, needs.clock.now());
  const { reviewThreshold: threshold } = await settingsOf(needs, access);
  const question = { pictures, game: game ?? card.game ?? undefined, threshold };
  const asked = await askEngines(needs, access, question);
  if (asked.hasFailed) throw identificationFailed();
  const isApplicable = card.status === "imported";
  return identificationAnswer(asked, {
    cardId: card.id,
    identified: asked.verdict.isSure && isApplicable,
  });
}

/** A photo without a card: the answer only. That both kinds of provider failed is still an event. */
async function identifyPhoto(
  needs: IdentifyNeeds,
  access: Access,
  photoUrl: string,
  options: {
    game: string | undefined;
    isDryRun: boolean;
    recordAnswer: Context["recordAnswer"];
  },
): Promise<IdentifyAnswer> {
  const { db, clock } = needs;
  const { accountId, actor } = access;
  const pictures = await pictureAtAddress(needs, photoUrl);
  const { reviewThreshold: threshold } = await settingsOf(needs, access);
  const asked = await askEngines(needs, access, { pictures, game: options.game, threshold });
  if (!asked.hasFailed) {
    return identificationAnswer(asked, { cardId: null, identified: asked.verdict.isSure });
  }
  if (!options.isDryRun) {
    const by = { actor, via: "provider" } as const;
    await changeAccount(db, { accountId, clock, by }, async (unit) => {
      const attempts = failuresOf(asked);
      unit.emit(identifyFailed({ card_id: null, photo_url: photoUrl, attempts }));
      await options.recordAnswer?.(unit.tx, identificationFailed());
    });
  }
  throw identificationFailed();
}

function identificationFailed(): VaultError {
  return new VaultError("identification_failed");
}

async function settingsOf({ db }: CardNeeds, { accountId }: Access) {
  const settings = await findSettings(db, accountId);
  if (settings === null) throw new VaultError("not_found");
  return settings;
}

function requireNoOutage({ outage }: AskedEngines): void {
  if (outage === null) return;
  const { retryAfterMs } = outage;
  throw new VaultError("service_unavailable", {
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
  });
}

/** A card is written to, also by a dry run's scope: the scope is of the request, not of its outcome. */
function scopesOfInput(input: unknown): readonly "cards:write"[] {
  const hasCard = typeof input === "object" && input !== null && "card_id" in input;
  return hasCard ? ["cards:write"] : [];
}

export const identifyProcedure = documented({
  openapi: {
    method: "POST",
    path: "/identify",
    summary: "Run identification on a card or on a photo URL",
    description:
      "Image recognition is asked first, a generative model where that fails or is not sure enough. " +
      "An identification at or above the account's threshold is applied to the card; below it the card " +
      "is put in review and keeps its candidates. A card needs the scope `cards:write` too.",
    tags: ["Identification"],
  },
  limitClass: "ai",
  scopes: ["identify"],
  scopesOfInput,
  idempotent: true,
  errors: ["identification_in_progress", "photo_unavailable", "identification_failed"],
  notFoundCode: "card_not_found",
})
  .input(identifyInput)
  .output(compiled(identifyAnswer))
  .mutation(({ ctx, input }) => identify(ctx.services, ctx.access, input, ctx));
