import { endSessionInput, endSessionsAnswer, VaultError } from "@cardvault/contract";
import { deleteOtherSessions, deleteSession } from "@cardvault/db";
import type { Transaction } from "@cardvault/db";
import { principalsChannel } from "../keys/principal-cache.ts";
import { personal } from "../procedures.ts";
import type { Services } from "../services.ts";

/** Ends sessions, for every process at once. */
function endSessions(
  { db, principals }: Pick<Services, "db" | "principals">,
  end: (tx: Transaction) => Promise<number>,
): Promise<{ ended: number }> {
  return db.transaction(async (tx) => {
    const ended = await end(tx);
    tx.afterCommit(() => {
      principals.clear();
      db.notify(principalsChannel);
    });
    return { ended };
  });
}

/** @throws VaultError `not_found` for a session that has ended, or is somebody else's */
export const endSessionProcedure = personal
  .input(endSessionInput)
  .output(endSessionsAnswer)
  .mutation(({ ctx: { services, principal }, input }) =>
    endSessions(services, async (tx) => {
      if (!(await deleteSession(tx, principal.userId, input.id))) throw new VaultError("not_found");
      return 1;
    }),
  );

export const endOtherSessionsProcedure = personal
  .output(endSessionsAnswer)
  .mutation(({ ctx: { services, principal } }) =>
    endSessions(services, (tx) =>
      deleteOtherSessions(tx, principal.userId, principal.sessionId ?? null),
    ),
  );
