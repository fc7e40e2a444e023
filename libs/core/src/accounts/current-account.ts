import { currentAnswer } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { findAccount } from "@cardvault/db";
import { VaultError } from "@cardvault/contract";

export const currentAccountProcedure = session()
  .output(currentAnswer)
  .query(async ({ ctx: { services, principal } }) => {
    const account = await findAccount(services.db, principal.accountId);
    if (account === null) throw new VaultError("not_found");
    const { userId, userName, userEmail, isOperator, role } = principal;
    return {
      user: { id: userId, name: userName, email: userEmail, is_operator: isOperator },
      account,
      role,
    };
  });
