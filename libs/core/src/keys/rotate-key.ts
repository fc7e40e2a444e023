import { keyRotateInput, newApiKey, rotationSeconds, VaultError } from "@cardvault/contract";
import type { NewApiKey, RotationChoice } from "@cardvault/contract";
import { writeKeyEnd } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";
import { insertNewKey } from "./create-key.ts";
import { requireKey } from "./find-key.ts";
import { principalsChannel } from "./principal-cache.ts";

/**
 * Makes a new key with the name and scopes of an old one, which ends at the chosen moment.
 * @throws VaultError `not_found`; `conflict` for a key that has ended, or is ending.
 */
export function rotateKey(
  { db, clock, principals }: Pick<Services, "db" | "clock" | "principals">,
  access: Access,
  input: { id: string; old_ends: RotationChoice },
): Promise<NewApiKey> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const old = await requireKey(tx, access.accountId, input.id, now);
    if (old.status !== "active") {
      throw new VaultError("conflict", { message: `The key is ${old.status}.` });
    }
    const made = await insertNewKey(tx, access, old, now);
    const expiresAt = new Date(now.getTime() + rotationSeconds[input.old_ends] * 1000);
    await writeKeyEnd(tx, access.accountId, old.id, { replacedBy: made.key.id, expiresAt });
    await writeTrail(tx, access, now, "key.rotated", old.id, {
      new_key: made.key.id,
      expires_at: expiresAt.toISOString(),
    });
    tx.afterCommit(() => {
      principals.clear();
      db.notify(principalsChannel);
    });
    return made;
  });
}

export const rotateKeyProcedure = session("owner")
  .input(keyRotateInput)
  .output(newApiKey)
  .mutation(({ ctx, input }) => rotateKey(ctx.services, ctx.access, input));
