import type { AccountUnit, Database } from "@cardvault/db";
import type { CardOutcome } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { askForRevision, askForWithdrawal } from "../listings/listing-jobs.ts";

/**
 * Fires the events of a change of a card, and makes jobs of what it asks of the marketplace, in the
 * change's own commit. The card itself is the caller's to save.
 */
export async function writeOutcome(
  db: Database,
  unit: AccountUnit,
  { actor }: Pick<Access, "actor">,
  { events, effects }: CardOutcome,
): Promise<void> {
  unit.emit(...events);
  for (const effect of effects) {
    const place = { listingId: effect.listingId, isPublishing: effect.afterPublishing };
    if (effect.type === "withdraw_listing") {
      await askForWithdrawal(db, unit, actor, place, effect.endReason);
      continue;
    }
    const { askingPrice: price, quantity } = effect;
    const wanted = { price, quantity: quantity === undefined ? undefined : (true as const) };
    await askForRevision(db, unit, actor, place, wanted);
  }
}
