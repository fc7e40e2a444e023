import { identificationUndoAnswer, identificationUndoInput, VaultError } from "@cardvault/contract";
import type { UndoChange } from "@cardvault/contract";
import {
  changeAccount,
  findIdentification,
  getCard,
  markIdentificationUndone,
} from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { takeBack } from "./take-back.ts";

/**
 * Takes an identification back: the card is imported again, with the fields and the review of before. Its
 * price stays, and what was edited since keeps its value.
 * @throws VaultError `not_found`; `conflict` where the card was identified anew; `invalid_transition` while
 * a listing is open, and for one that was not applied
 */
async function undoIdentification(
  { db, clock, photoUrls }: Pick<Services, "db" | "clock" | "photoUrls">,
  access: Access,
  id: string,
): Promise<UndoChange> {
  const { accountId } = access;
  const found = isId("idn", id) ? await findIdentification(db, accountId, id) : null;
  if (found === null) throw new VaultError("not_found");
  const { cardId, changedAt } = found;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    await markIdentificationUndone(unit.tx, accountId, id);
    if (changedAt === null) throw new VaultError("invalid_transition");
    const must = ["status", "identifiedAt"] as const;
    const events = await takeBack(db, unit, access, { cardId, changedAt, must });
    await unit.tx.em.flush();
    return {
      card: await getCard(unit.tx, accountId, cardId, photoUrls.urlOf),
      events_sent: events,
    };
  });
}

export const undoIdentificationProcedure = session()
  .input(identificationUndoInput)
  .output(identificationUndoAnswer)
  .mutation(({ ctx, input }) => undoIdentification(ctx.services, ctx.access, input.id));
