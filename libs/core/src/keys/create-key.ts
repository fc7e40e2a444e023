import { keyCreateInput, newApiKey } from "@cardvault/contract";
import type { NewApiKey, Scope } from "@cardvault/contract";
import { insertKey } from "@cardvault/db";
import type { Queryable } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";
import { generateToken, hashToken, tokenPrefix } from "./token.ts";

/** Makes a key of the account's environment. Its token is in the answer and nowhere else. */
export function createKey(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  input: { name: string; scopes: readonly Scope[] },
): Promise<NewApiKey> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const made = await insertNewKey(tx, access, input, now);
    await writeTrail(tx, access, now, "key.created", made.key.id, { name: input.name });
    return made;
  });
}

/** The row and the token of a new key. */
export async function insertNewKey(
  tx: Queryable,
  access: Access,
  { name, scopes }: { name: string; scopes: readonly Scope[] },
  now: Date,
): Promise<NewApiKey> {
  const token = generateToken(access.environment);
  const key = await insertKey(tx, access.accountId, {
    id: newId("key"),
    name,
    prefix: tokenPrefix(access.environment),
    lastFour: token.slice(-4),
    tokenHash: hashToken(token),
    scopes,
    createdBy: access.actor.id ?? access.actor.kind,
    createdAt: now,
  });
  return { key, token };
}

export const createKeyProcedure = session("owner")
  .input(keyCreateInput)
  .output(newApiKey)
  .mutation(({ ctx, input }) => createKey(ctx.services, ctx.access, input));
