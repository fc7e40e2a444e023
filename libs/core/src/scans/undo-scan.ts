import { scanAnswer, scanUndoInput, VaultError } from "@cardvault/contract";
import type { ScanAnswer } from "@cardvault/contract";
import { changeAccount, findLastEffect, findScan, markScanUndone } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { putAt } from "./put-at.ts";
import { answerOf } from "./scan-card.ts";

/**
 * Takes the run's last move, or change of place, back. Asking again for one that is undone changes nothing.
 * @throws VaultError `not_found`; `conflict` where it is not the last one, did nothing, or where the card
 * has been moved elsewhere since
 */
function undoScan(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { run_id: runId, scan_id: id }: { run_id: string; scan_id: string },
): Promise<ScanAnswer> {
  const { accountId } = access;
  const by = { actor: access.actor, via: "scan" } as const;
  return changeAccount(db, { accountId, clock, by }, async (unit) => {
    const scan = await findScan(unit.tx, accountId, id);
    if (scan === null || scan.runId !== runId) throw new VaultError("not_found");
    if (scan.undoneAt !== null) return answerOf(unit.tx, accountId, scan);
    const last = await findLastEffect(unit.tx, accountId, runId);
    if (last?.id !== id) {
      throw new VaultError("conflict", { message: "It is not the run's last move." });
    }
    if (scan.cardId !== null) {
      const { location } = await unit.cards.get(scan.cardId);
      if (location !== scan.location) {
        throw new VaultError("conflict", { message: "The card has been moved since." });
      }
      await putAt({ db, access, unit }, scan.cardId, scan.fromLocation);
    }
    await unit.tx.em.flush();
    await markScanUndone(unit.tx, accountId, scan, unit.stamp);
    return answerOf(unit.tx, accountId, { ...scan, undoneAt: unit.stamp });
  });
}

export const undoScanProcedure = session()
  .input(scanUndoInput)
  .output(scanAnswer)
  .mutation(({ ctx, input }) => undoScan(ctx.services, ctx.access, input));
