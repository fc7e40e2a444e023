import { photoImportListAnswer, photoImportListInput } from "@cardvault/contract";
import { listPhotoImports } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const listImportsProcedure = session()
  .input(photoImportListInput)
  .output(photoImportListAnswer)
  .query(({ ctx, input }) => listPhotoImports(ctx.services.db, ctx.access.accountId, input));
