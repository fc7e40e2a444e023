import { VaultError } from "@cardvault/contract";
import type { InventoryView } from "@cardvault/contract";
import { findView } from "@cardvault/db";
import type { Queryable, Viewer } from "@cardvault/db";
import type { SessionPrincipal } from "../context.ts";

export function viewerOf({ userId, role }: SessionPrincipal): Viewer {
  return { userId, isOwner: role === "owner" };
}

/**
 * A view that the person may see.
 * @throws VaultError `not_found`, also for a view of another person that is not shared
 */
export async function requireView(
  db: Queryable,
  { accountId, ...principal }: SessionPrincipal,
  id: string,
): Promise<InventoryView> {
  const view = await findView(db, accountId, viewerOf({ accountId, ...principal }), id);
  if (view === undefined) throw new VaultError("not_found");
  return view;
}

/** As {@link requireView}, and it may be changed. @throws VaultError `not_permitted` */
export async function requireOwnView(
  db: Queryable,
  principal: SessionPrincipal,
  id: string,
): Promise<InventoryView> {
  const view = await requireView(db, principal, id);
  if (!view.can_change) throw new VaultError("not_permitted");
  return view;
}
