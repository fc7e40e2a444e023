import { photoImport, photoImportCreateInput } from "@cardvault/contract";
import type { PhotoImport, PhotoImportCreate } from "@cardvault/contract";
import { changeAccount, getPhotoImport, insertPhotoImport } from "@cardvault/db";
import { requireNotComplete } from "@cardvault/domain";
import { newId } from "@cardvault/kit";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";

/**
 * Begins an import of photos into a batch. Nothing of the batch changes before it is committed.
 * @throws VaultError `batch_not_found`; `batch_complete`
 */
function createImport(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { batch_id: batchId, pairing }: PhotoImportCreate,
): Promise<PhotoImport> {
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    requireNotComplete(await unit.batches.get(batchId));
    const id = newId("pim");
    const row = { id, batchId, pairing, createdBy: access.actor.id };
    await insertPhotoImport(unit.tx, accountId, row, clock.now());
    return getPhotoImport(unit.tx, accountId, id);
  });
}

export const createImportProcedure = session()
  .input(photoImportCreateInput)
  .output(photoImport)
  .mutation(({ ctx, input }) => createImport(ctx.services, ctx.access, input));
