import { place, placeSaveInput } from "@cardvault/contract";
import type { Place, PlaceSave } from "@cardvault/contract";
import { lockPlace, savePlace } from "@cardvault/db";
import { requireAsRead } from "../../as-read.ts";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";

/**
 * Describes a place, or describes it anew.
 * @throws VaultError `conflict` for a code that another place has; `precondition_failed` where a member is
 * not what was expected of it
 */
function describePlace(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId }: Access,
  { expected, ...fields }: PlaceSave,
): Promise<Place> {
  return db.transaction(async (tx) => {
    requireAsRead(await lockPlace(tx, accountId, fields.path), expected, "place");
    return savePlace(tx, accountId, fields, clock.now());
  });
}

export const savePlaceProcedure = session()
  .input(placeSaveInput)
  .output(place)
  .mutation(({ ctx, input }) => describePlace(ctx.services, ctx.access, input));
