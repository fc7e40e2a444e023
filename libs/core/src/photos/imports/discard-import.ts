import { photoImportIdInput, VaultError } from "@cardvault/contract";
import { deletePhotoImport, lockPhotoImport, loosenPictures, readJob } from "@cardvault/db";
import * as z from "zod";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";

/**
 * Gives an import up, with its files that became no card's. Cards that were made of it stay.
 * @throws VaultError `not_found`; `conflict` while its cards are being made
 */
export async function discardImport(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId }: Pick<Access, "accountId">,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await lockPhotoImport(tx, accountId, id);
    const last = found.jobId === null ? undefined : await readJob(tx, found.jobId);
    if (last !== undefined && last.finishedAt === null) {
      throw new VaultError("conflict", { message: "The cards of this import are being made." });
    }
    const hashes = await deletePhotoImport(tx, accountId, id);
    await loosenPictures(tx, accountId, hashes, clock.now());
  });
}

export const discardImportProcedure = session()
  .input(photoImportIdInput)
  .output(z.null())
  .mutation(async ({ ctx, input }) => {
    await discardImport(ctx.services, ctx.access, input.id);
    return null;
  });
