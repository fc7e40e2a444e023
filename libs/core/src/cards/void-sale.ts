import { handSale, VaultError, voidSaleInput } from "@cardvault/contract";
import type { HandSale } from "@cardvault/contract";
import { changeAccount, findHandSale, markSaleVoid } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeOutcome } from "./write-outcome.ts";

/**
 * Voids a sale that was recorded by hand: its copies come back, and a sold card goes to where its facts
 * stand. The row stays.
 * @throws VaultError `not_found`; `invalid_transition` for one that is void already
 */
function voidSale(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
): Promise<HandSale> {
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const sale = await findHandSale(unit.tx, accountId, id);
    if (sale === null) throw new VaultError("not_found");
    if (sale.voided_at !== null) {
      throw new VaultError("invalid_transition", { message: "The sale is void already." });
    }
    const before = await unit.cards.get(sale.card_id);
    const command = { type: "bring_back", quantity: sale.quantity } as const;
    const outcome = decideCard(before, command, unit.stamp);
    unit.cards.save(outcome.state);
    await writeOutcome(db, unit, access, outcome);
    const { quantity, price } = sale;
    unit.history.sale(sale.card_id, { id, quantity, price }, null);
    return markSaleVoid(unit.tx, accountId, id, { userId: access.actor.id, at: unit.stamp });
  });
}

export const voidSaleProcedure = session()
  .input(voidSaleInput)
  .output(handSale)
  .mutation(({ ctx, input }) => voidSale(ctx.services, ctx.access, input.id));
