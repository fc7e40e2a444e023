import { photoImport, photoImportIdInput } from "@cardvault/contract";
import { getPhotoImport } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const getImportProcedure = session()
  .input(photoImportIdInput)
  .output(photoImport)
  .query(({ ctx, input }) => getPhotoImport(ctx.services.db, ctx.access.accountId, input.id));
