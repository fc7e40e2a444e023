import {
  templateOwnerInput,
  templatesAnswer,
  templateSaveInput,
  VaultError,
} from "@cardvault/contract";
import type { TemplateOwnerInput, TemplatesAnswer, TemplateSave } from "@cardvault/contract";
import { changeAccount, lookAtAccount, readTemplates, writeTemplates } from "@cardvault/db";
import type { AccountUnit, Queryable, TemplateOwner } from "@cardvault/db";
import { requireNotComplete, templatePlaceholders } from "@cardvault/domain";
import type { ListingTemplates } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { effectiveTemplates } from "../plan-listing.ts";
import { requireTemplates } from "./require-templates.ts";

/** Whose templates are meant, and the batch that a card is in. */
type Owner = TemplateOwner & { ofBatch: string | null };

const nothing: ListingTemplates = { title: null, description: null };

function ownerOf({ batch_id: batchId, card_id: cardId }: TemplateOwnerInput): TemplateOwner {
  if (batchId !== undefined) return { batchId };
  if (cardId !== undefined) return { cardId };
  throw new VaultError("validation_failed");
}

async function answerOf(tx: Queryable, accountId: string, owner: Owner): Promise<TemplatesAnswer> {
  const cardId = "cardId" in owner ? owner.cardId : "";
  const known = await readTemplates(tx, accountId, {
    cardIds: cardId === "" ? [] : [cardId],
    batchIds: "batchId" in owner ? [owner.batchId] : [],
  });
  const own = "cardId" in owner ? known.cards.get(cardId) : known.batches.get(owner.batchId);
  return {
    own: own ?? nothing,
    effective: effectiveTemplates({ id: cardId, batchId: owner.ofBatch }, known),
    // Without the one that is asked about: a card's is its batch's, a batch's is the account's.
    inherited: effectiveTemplates(
      { id: "", batchId: "cardId" in owner ? owner.ofBatch : null },
      known,
    ),
    placeholders: templatePlaceholders,
  };
}

async function answerOfAccount(tx: Queryable, accountId: string): Promise<TemplatesAnswer> {
  const { account, ...known } = await readTemplates(tx, accountId, { cardIds: [] });
  const ofNothing = { id: "", batchId: null };
  return {
    own: account,
    effective: effectiveTemplates(ofNothing, { account, ...known }),
    inherited: effectiveTemplates(ofNothing, { account: nothing, ...known }),
    placeholders: templatePlaceholders,
  };
}

/** @throws VaultError `batch_not_found`, `card_not_found` */
function readOwnTemplates(
  { db }: Pick<Services, "db">,
  { accountId }: Access,
  input: TemplateOwnerInput,
): Promise<TemplatesAnswer> {
  if (input.batch_id === undefined && input.card_id === undefined) {
    return lookAtAccount(db, accountId, ({ tx }) => answerOfAccount(tx, accountId));
  }
  const owner = ownerOf(input);
  return lookAtAccount(db, accountId, async ({ tx, cards, batches }) => {
    if ("cardId" in owner) {
      const { batchId } = await cards.get(owner.cardId);
      return answerOf(tx, accountId, { ...owner, ofBatch: batchId });
    }
    await batches.get(owner.batchId);
    return answerOf(tx, accountId, { ...owner, ofBatch: owner.batchId });
  });
}

/**
 * Writes the templates of a batch or a card. What is published already keeps its words.
 * @throws VaultError `batch_not_found`, `card_not_found`; `batch_complete`; `validation_failed`
 */
function saveOwnTemplates(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { title, description, ...input }: TemplateSave,
): Promise<TemplatesAnswer> {
  const owner = ownerOf(input);
  requireTemplates({ title, description });
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const ofBatch = await requireOwner(unit, owner);
    await writeTemplates(unit.tx, accountId, owner, { title, description }, unit.stamp);
    return answerOf(unit.tx, accountId, { ...owner, ofBatch });
  });
}

/** A complete batch's own fields are read-only, and a template is one. */
async function requireOwner(unit: AccountUnit, owner: TemplateOwner): Promise<string | null> {
  if ("cardId" in owner) {
    if (!isId("card", owner.cardId)) throw new VaultError("card_not_found");
    return (await unit.cards.get(owner.cardId)).batchId;
  }
  requireNotComplete(await unit.batches.get(owner.batchId));
  return owner.batchId;
}

export const getTemplatesProcedure = session()
  .input(templateOwnerInput)
  .output(templatesAnswer)
  .query(({ ctx, input }) => readOwnTemplates(ctx.services, ctx.access, input));

export const saveTemplatesProcedure = session()
  .input(templateSaveInput)
  .output(templatesAnswer)
  .mutation(({ ctx, input }) => saveOwnTemplates(ctx.services, ctx.access, input));
