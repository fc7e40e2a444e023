import { assignSaleInput, ledgerSale, VaultError } from "@cardvault/contract";
import type { LedgerSale } from "@cardvault/contract";
import { changeAccount, findOrderLine, findSale, matchCard, updateOrderLine } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { takeCopies } from "../marketplace/sync-take-line.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * Says which card a line of an order has sold that matched none. Its copies are taken as if it had matched: off the
 * card and its listing, with their events.
 * @throws VaultError `not_found`; `card_not_found`; `invalid_transition` for a line that has its card, is cancelled,
 * or cannot be taken by this one
 */
async function assignSale(
  { db, clock, logger }: Pick<Services, "db" | "clock" | "logger">,
  access: Access,
  { id, card_id: cardId }: { id: string; card_id: string },
): Promise<LedgerSale> {
  const { accountId } = access;
  if (!isId("card", cardId)) throw new VaultError("card_not_found");
  await changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const row = await findOrderLine(unit.tx, accountId, id);
    if (row === null) throw new VaultError("not_found");
    const match = await matchCard(unit.tx, accountId, cardId);
    if (match === null) throw new VaultError("card_not_found");
    if (row.unmatched === null || row.cancelledQuantity === row.quantity) {
      throw refused("The sale has its card, or is cancelled.");
    }
    const order = {
      orderId: row.orderId,
      createdAt: row.soldAt,
      modifiedAt: row.modifiedAt,
      isCancelled: false,
      isPaid: row.isPaid,
      fee: null,
      lines: [],
    };
    const { marketplace } = row;
    const context = { db, logger, unit, marketplace, order, offers: new Map() };
    const taken = await takeCopies(context, row, match);
    if (taken.unmatched !== null) throw refused("The card cannot take this sale.");
    await updateOrderLine(unit.tx, accountId, taken);
  });
  const sale = await findSale(db, accountId, id);
  if (sale === undefined) throw new VaultError("not_found");
  return sale;
}

function refused(message: string): VaultError {
  return new VaultError("invalid_transition", { message });
}

export const assignSaleProcedure = session()
  .input(assignSaleInput)
  .output(ledgerSale)
  .mutation(({ ctx, input }) => assignSale(ctx.services, ctx.access, input));
