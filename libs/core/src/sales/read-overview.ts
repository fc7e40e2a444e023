import { salesOverview } from "@cardvault/contract";
import type { SalesOverview } from "@cardvault/contract";
import { countSales, readSync } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/** What there is to do about sales, and how the marketplace is read. */
async function readSalesOverview(
  { db }: Pick<Services, "db">,
  { accountId }: Pick<Access, "accountId">,
): Promise<SalesOverview> {
  const [counts, sync] = await Promise.all([countSales(db, accountId), readSync(db, accountId)]);
  return {
    ...counts,
    sync: sync && {
      synced_at: sync.syncedAt?.toISOString() ?? null,
      orders_until: sync.ordersUntil.toISOString(),
      next_at: sync.dueAt.toISOString(),
      failure: sync.failure?.code ?? null,
      failed_since: sync.failedSince?.toISOString() ?? null,
    },
  };
}

export const salesOverviewProcedure = session()
  .output(salesOverview)
  .query(({ ctx }) => readSalesOverview(ctx.services, ctx.access));
