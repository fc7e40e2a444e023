import {
  photoImportEditInput,
  photoImportPairInput,
  photoImportPreview,
} from "@cardvault/contract";
import type { PhotoImportEdit, PhotoImportPair, PhotoImportPreview } from "@cardvault/contract";
import { readImportFiles, writeArrangement, writePhotoImport } from "@cardvault/db";
import { editArrangement, unsettled } from "@cardvault/domain";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { lockOpenImport } from "./open-import.ts";
import { previewImport } from "./preview-import.ts";

type Needs = Pick<Services, "db" | "clock" | "photoUrls">;

/**
 * Changes the pairs that the preview shows; whatever else it shows stays where it is.
 * @throws VaultError `not_found`; `conflict` for files that are elsewhere by now, and once cards are made
 */
function editImport(
  needs: Needs,
  { accountId }: Access,
  { id, edit }: PhotoImportEdit,
): Promise<PhotoImportPreview> {
  const { db, clock } = needs;
  return db.transaction(async (tx) => {
    const { pairing } = await lockOpenImport(tx, accountId, id);
    const files = await readImportFiles(tx, id);
    await writeArrangement(tx, id, editArrangement(files, pairing, edit));
    await writePhotoImport(tx, id, {}, clock.now());
    return previewImport(needs, tx, accountId, id);
  });
}

/**
 * Lets a rule pair all files anew. What was dropped stays dropped.
 * @throws VaultError `not_found`; `conflict` once cards are made
 */
function pairImport(
  needs: Needs,
  { accountId }: Access,
  { id, pairing }: PhotoImportPair,
): Promise<PhotoImportPreview> {
  const { db, clock } = needs;
  return db.transaction(async (tx) => {
    await lockOpenImport(tx, accountId, id);
    await writeArrangement(tx, id, unsettled(await readImportFiles(tx, id)));
    await writePhotoImport(tx, id, { pairing }, clock.now());
    return previewImport(needs, tx, accountId, id);
  });
}

export const editImportProcedure = session()
  .input(photoImportEditInput)
  .output(photoImportPreview)
  .mutation(({ ctx, input }) => editImport(ctx.services, ctx.access, input));

export const pairImportProcedure = session()
  .input(photoImportPairInput)
  .output(photoImportPreview)
  .mutation(({ ctx, input }) => pairImport(ctx.services, ctx.access, input));
