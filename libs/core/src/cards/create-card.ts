import { card, cardCreateInput } from "@cardvault/contract";
import type { Card, CardCreate } from "@cardvault/contract";
import { changeAccount, getCard } from "@cardvault/db";
import type { AccountUnit } from "@cardvault/db";
import { createCard as decideNewCard } from "@cardvault/domain";
import type { BatchState } from "@cardvault/domain";
import { newId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { cardPatchFrom } from "./card-patch.ts";
import { writeOutcome } from "./write-outcome.ts";

/**
 * Makes a card. One with a title is identified by hand in the same change; every card gets a SKU.
 * @throws VaultError `batch_not_found`; `batch_complete`; `validation_failed`; `conflict` for a SKU
 * that another card has.
 */
function createCard(
  { db, clock, photoUrls }: Pick<Services, "db" | "clock" | "photoUrls">,
  access: Access,
  input: CardCreate,
): Promise<Card> {
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const { batch_id: batchId, sku, ...fields } = input;
    const batch = batchId == null ? null : await unit.batches.get(batchId);
    const outcome = decideNewCard(
      {
        id: newId("card"),
        sku: sku ?? (await nextSku(unit, input, batch)),
        batch,
        fields: cardPatchFrom(fields),
        accountCurrency: unit.account.currency,
      },
      unit.stamp,
    );
    await unit.cards.create(outcome.state);
    await writeOutcome(db, unit, access, outcome);
    await unit.tx.em.flush();
    return getCard(unit.tx, accountId, outcome.state.id, photoUrls.urlOf);
  });
}

/** By what the card will say: its own, else its batch's. */
function nextSku(unit: AccountUnit, input: CardCreate, batch: BatchState | null) {
  const { game = batch?.defaults.game, set_code: setCode, year } = input;
  return unit.counters.nextSku({ batchCode: batch?.code, game, setCode, year });
}

export const createCardProcedure = session()
  .input(cardCreateInput)
  .output(card)
  .mutation(({ ctx, input }) => createCard(ctx.services, ctx.access, input));
