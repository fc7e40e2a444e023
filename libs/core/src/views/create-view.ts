import { inventoryView, maxViews, VaultError, viewCreateInput } from "@cardvault/contract";
import type { InventoryView, ViewCreate } from "@cardvault/contract";
import { countViews, insertView } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import type { SessionPrincipal } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { requireView } from "./viewer.ts";

/**
 * Saves a view. Two at the same moment may both be the last that is allowed: the limit is there against a
 * list that nobody can read, not to be exact.
 * @throws VaultError `conflict` for a name that the person has already, and for one view too many
 */
async function createView(
  { db, clock }: Pick<Services, "db" | "clock">,
  principal: SessionPrincipal,
  view: ViewCreate,
): Promise<InventoryView> {
  const { accountId, userId } = principal;
  if ((await countViews(db, accountId, userId)) >= maxViews) {
    throw new VaultError("conflict", { message: `A person has at most ${maxViews} views.` });
  }
  const id = newId("view");
  await insertView(db, accountId, { ...view, id, ownerId: userId, createdAt: clock.now() });
  return requireView(db, principal, id);
}

export const createViewProcedure = session()
  .input(viewCreateInput)
  .output(inventoryView)
  .mutation(({ ctx, input }) => createView(ctx.services, ctx.principal, input));
