import { account, createTestAccountInput, VaultError } from "@cardvault/contract";
import type { Account } from "@cardvault/contract";
import { findAccount, findTestAccount, lockAccount } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";
import { insertNewAccount } from "./create-account.ts";

/**
 * Makes the test account beside a live one, with its currency, owned by the person who asks.
 * @throws VaultError `conflict` where there is one already, or the account is itself a test account;
 * `account_suspended`
 */
function createTestAccount(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  ownerId: string,
  name: string | undefined,
): Promise<Account> {
  return db.transaction(async (tx) => {
    if (access.environment === "test") {
      throw new VaultError("conflict", { message: "This is a test account already." });
    }
    await lockAccount(tx, access.accountId);
    if ((await findTestAccount(tx, access.accountId)) !== null) {
      throw new VaultError("conflict", { message: "There is a test account already." });
    }
    const live = await findAccount(tx, access.accountId);
    if (live === null) throw new VaultError("not_found");
    // Since the request was let in: an account that is being removed must get none beside it.
    if (live.status === "suspended") throw new VaultError("account_suspended");
    const made = await insertNewAccount(
      tx,
      access.actor,
      {
        name: name ?? `${live.name} (test)`.slice(0, 100),
        environment: "test",
        currency: live.currency,
        ownerId,
        liveAccountId: live.id,
      },
      clock.now(),
    );
    const details = { name: made.name };
    await writeTrail(tx, access, clock.now(), "account.test_created", made.id, details);
    return made;
  });
}

export const createTestAccountProcedure = session("owner")
  .input(createTestAccountInput)
  .output(account)
  .mutation(({ ctx, input }) =>
    createTestAccount(ctx.services, ctx.access, ctx.principal.userId, input.name),
  );
