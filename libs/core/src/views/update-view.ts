import { inventoryView, viewUpdateInput } from "@cardvault/contract";
import type { InventoryView, ViewUpdate } from "@cardvault/contract";
import { writeView } from "@cardvault/db";
import type { SessionPrincipal } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { requireOwnView, requireView } from "./viewer.ts";

/**
 * Changes a view: one's own, or a shared one as an owner of the account.
 * @throws VaultError `not_found`; `not_permitted`; `conflict` for a name that its owner has already
 */
async function updateView(
  { db, clock }: Pick<Services, "db" | "clock">,
  principal: SessionPrincipal,
  { id, ...given }: ViewUpdate,
): Promise<InventoryView> {
  const before = await requireOwnView(db, principal, id);
  const { name, filter, sort, columns, is_shared } = before;
  const after = {
    name: given.name ?? name,
    filter: given.filter ?? filter,
    sort: given.sort === undefined ? sort : given.sort,
    columns: given.columns ?? columns,
    is_shared: given.is_shared ?? is_shared,
  };
  await writeView(db, principal.accountId, id, after, clock.now());
  // Unshared by an owner of the account, it is out of the owner's sight.
  return before.owner.id === principal.userId || after.is_shared
    ? requireView(db, principal, id)
    : { ...before, ...after };
}

export const updateViewProcedure = session()
  .input(viewUpdateInput)
  .output(inventoryView)
  .mutation(({ ctx, input }) => updateView(ctx.services, ctx.principal, input));
