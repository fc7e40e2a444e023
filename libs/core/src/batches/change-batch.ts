import { VaultError } from "@cardvault/contract";
import type { Batch } from "@cardvault/contract";
import { changeAccount, getBatch } from "@cardvault/db";
import type { AccountUnit } from "@cardvault/db";
import { decideBatch } from "@cardvault/domain";
import type { BatchCommand } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";

/**
 * Applies a command to a batch and fires what it fires. The answer is read in the same transaction.
 * @param command or what finds it in the change, once the batch is known to be there
 * @throws VaultError `batch_not_found`; `batch_complete`, `conflict`, `invalid_transition`,
 * `validation_failed` as the rules say.
 */
export async function changeBatch(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
  command: BatchCommand | ((unit: AccountUnit) => Promise<BatchCommand>),
): Promise<Batch> {
  if (!isId("batch", id)) throw new VaultError("batch_not_found");
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const before = await unit.batches.get(id);
    const wanted = typeof command === "function" ? await command(unit) : command;
    const { state, events } = decideBatch(before, wanted, unit.stamp);
    unit.batches.save(state);
    unit.emit(...events);
    await unit.tx.em.flush();
    return getBatch(unit.tx, accountId, id);
  });
}
