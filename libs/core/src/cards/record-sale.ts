import { handSale, recordSaleInput, VaultError } from "@cardvault/contract";
import type { HandSale, RecordSale } from "@cardvault/contract";
import { changeAccount, findHandSaleOfRequest, insertHandSale } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { isId, newId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeOutcome } from "./write-outcome.ts";

/** Two clocks differ by so much without either being wrong. */
const toleranceMs = 60_000;

/**
 * Records a sale made elsewhere: takes its copies off the card, and lowers or withdraws the open listing.
 * More copies than there are put the card in review (`oversold`).
 * @throws VaultError `card_not_found`; `validation_failed` for another currency or a time to come;
 * `invalid_transition` where it takes the last copy while a listing is publishing; `conflict` for a request
 * id that recorded the sale of another card
 */
async function recordSale(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { id: cardId, request_id: requestId, ...sale }: RecordSale,
): Promise<HandSale> {
  if (!isId("card", cardId)) throw new VaultError("card_not_found");
  const { accountId } = access;
  const soldAt = sale.sold_at === undefined ? clock.now() : new Date(sale.sold_at);
  requireFits(access, sale, soldAt, clock.now());
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const before = await unit.cards.get(cardId);
    if (requestId !== undefined) {
      const known = await findHandSaleOfRequest(unit.tx, accountId, requestId);
      if (known !== null && known.card_id !== cardId) {
        throw new VaultError("conflict", { message: "The request recorded another card's sale." });
      }
      if (known !== null) return known;
    }
    const { quantity, place, note, price, fee } = sale;
    const id = newId("sale");
    const outcome = decideCard(before, { type: "sell_by_hand", quantity }, unit.stamp);
    unit.cards.save(outcome.state);
    await writeOutcome(db, unit, access, outcome);
    unit.history.sale(cardId, null, { id, quantity, price });
    return insertHandSale(unit.tx, accountId, {
      id,
      cardId,
      quantity,
      price: price.amount,
      fee: fee?.amount ?? null,
      costEach: before.purchasePrice?.amount ?? null,
      place,
      note,
      soldAt,
      requestId: requestId ?? null,
      createdBy: access.actor.id,
      createdAt: unit.stamp,
    });
  });
}

function requireFits(
  { currency }: Access,
  { price, fee }: Pick<RecordSale, "price" | "fee">,
  soldAt: Date,
  now: Date,
): void {
  const details = Object.entries({ price, fee }).flatMap(([path, amount]) =>
    amount === null || amount.currency === currency
      ? []
      : [{ path: `${path}.currency`, message: `Must be ${currency}, the account's currency` }],
  );
  if (soldAt.getTime() > now.getTime() + toleranceMs) {
    details.push({ path: "sold_at", message: "Must not be in the future" });
  }
  if (details.length > 0) throw new VaultError("validation_failed", { details });
}

export const recordSaleProcedure = session()
  .input(recordSaleInput)
  .output(handSale)
  .mutation(({ ctx, input }) => recordSale(ctx.services, ctx.access, input));
