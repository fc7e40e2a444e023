import { keyUsageAnswer, limitClasses, requestLimits } from "@cardvault/contract";
import type { KeyUsage } from "@cardvault/contract";
import { findLimits, listKeys } from "@cardvault/db";
import { tokenWindow } from "../limits/limiter.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * What the account's keys have used of their limits in the last minute. Several processes that keep the
 * windows in memory know their own part of it alone.
 */
async function readUsage(
  { db, clock, limiter }: Pick<Services, "db" | "clock" | "limiter">,
  accountId: string,
): Promise<KeyUsage[]> {
  const now = clock.now();
  const [keys, limits] = await Promise.all([
    listKeys(db, accountId, now),
    findLimits(db, accountId),
  ]);
  const usable = keys.filter(({ status }) => status === "active" || status === "ending");
  const windows = usable.flatMap(({ id }) => limitClasses.map((name) => tokenWindow(id, name)));
  const counted = await limiter.counted(windows, now);
  return usable.map(({ id }, index) => ({
    key_id: id,
    classes: limitClasses.map((name, place) => ({
      class: name,
      used: counted[index * limitClasses.length + place] ?? 0,
      limit: limits[name] ?? requestLimits[name],
    })),
  }));
}

export const keyUsageProcedure = session("owner")
  .output(keyUsageAnswer)
  .query(async ({ ctx: { services, access } }) => ({
    data: await readUsage(services, access.accountId),
  }));
