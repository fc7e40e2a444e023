import { apiKey, keyRevokeInput } from "@cardvault/contract";
import type { ApiKey } from "@cardvault/contract";
import { writeRevocation } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";
import { requireKey } from "./find-key.ts";
import { principalsChannel } from "./principal-cache.ts";

/**
 * Ends a key at once, in every process. A key that is revoked already stays as it is.
 * @throws VaultError `not_found`
 */
export function revokeKey(
  { db, clock, principals }: Pick<Services, "db" | "clock" | "principals">,
  access: Access,
  input: { id: string },
): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const key = await requireKey(tx, access.accountId, input.id, now);
    if (key.status === "revoked") return key;
    const revoked = await writeRevocation(tx, access.accountId, key.id, now);
    await writeTrail(tx, access, now, "key.revoked", key.id, { name: key.name });
    tx.afterCommit(() => {
      principals.clear();
      db.notify(principalsChannel);
    });
    return revoked;
  });
}

export const revokeKeyProcedure = session("owner")
  .input(keyRevokeInput)
  .output(apiKey)
  .mutation(({ ctx, input }) => revokeKey(ctx.services, ctx.access, input));
