import { listing, settleDifferenceInput, VaultError } from "@cardvault/contract";
import type { Listing } from "@cardvault/contract";
import { changeAccount, clearDifferences, findDifference, getListing } from "@cardvault/db";
import { decideListing } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { askForRevision } from "../listings/listing-jobs.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * Settles what the marketplace shows otherwise than we do: ours is sent again by a job, or theirs becomes the
 * listing's. The card's own price and copies stay.
 * @throws VaultError `listing_not_found`; `invalid_transition` where nothing differs, the listing is not live, or
 * theirs has no copy left
 */
async function settleDifference(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { listing_id: id, keep }: { listing_id: string; keep: "ours" | "theirs" },
): Promise<Listing> {
  const { accountId, actor } = access;
  if (!isId("lst", id)) throw new VaultError("listing_not_found");
  await changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const before = await unit.listings.get(id);
    const difference = await findDifference(unit.tx, accountId, id);
    if (difference === null || before.status !== "live") {
      throw new VaultError("invalid_transition", { message: "There is no difference to settle." });
    }
    const { price, quantity } = difference;
    if (keep === "theirs") {
      if (quantity === 0) {
        throw new VaultError("invalid_transition", {
          message: "The marketplace shows no copy left: end the listing instead.",
        });
      }
      const command = {
        type: "revise",
        price: price === null ? undefined : { amount: price, currency: before.price.currency },
        quantityLeft: quantity ?? undefined,
      } as const;
      unit.listings.save(decideListing(before, command, unit.stamp).state);
    } else {
      const wanted = {
        price: price === null ? undefined : before.price,
        quantity: quantity === null ? undefined : (true as const),
      };
      await askForRevision(db, unit, actor, { listingId: id, isPublishing: false }, wanted);
    }
    await unit.tx.em.flush();
    await clearDifferences(unit.tx, accountId, [id]);
  });
  return getListing(db, accountId, id);
}

export const settleDifferenceProcedure = session()
  .input(settleDifferenceInput)
  .output(listing)
  .mutation(({ ctx, input }) => settleDifference(ctx.services, ctx.access, input));
