import type { Account, Environment } from "@cardvault/contract";
import { insertAccount, insertMember } from "@cardvault/db";
import type { Queryable } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import type { Actor } from "../context.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

export interface NewAccountInput {
  name: string;
  environment: Environment;
  currency: string;
  /** The first owner. */
  ownerId: string;
}

/** Makes an account with its first owner. Only an operator makes live ones. */
export function createAccount(
  { db, clock }: Pick<Services, "db" | "clock">,
  actor: Actor,
  input: NewAccountInput,
): Promise<Account> {
  return db.transaction((tx) =>
    insertNewAccount(tx, actor, { ...input, liveAccountId: null }, clock.now()),
  );
}

/** The account, its clock, its owner and its first trail entry. */
export async function insertNewAccount(
  tx: Queryable,
  actor: Actor,
  input: NewAccountInput & { liveAccountId: string | null },
  now: Date,
): Promise<Account> {
  const { ownerId, ...rest } = input;
  const account = await insertAccount(tx, { ...rest, id: newId("acc"), createdAt: now });
  await insertMember(tx, account.id, { userId: ownerId, role: "owner", createdAt: now });
  const { environment, currency } = account;
  const access = { accountId: account.id, environment, currency, actor };
  await writeTrail(tx, access, now, "account.created", account.id, { name: account.name });
  return account;
}
