import { makeSyncDue, syncChannel } from "@cardvault/db";
import * as z from "zod";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/** Has the marketplace read as soon as a worker is free. */
export async function syncSoon(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId }: Pick<Access, "accountId">,
): Promise<void> {
  await makeSyncDue(db, accountId, clock.now());
  db.notify(syncChannel);
}

export const syncNowProcedure = session()
  .output(z.null())
  .mutation(async ({ ctx }) => {
    await syncSoon(ctx.services, ctx.access);
    return null;
  });
