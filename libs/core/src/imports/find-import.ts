import { cardImport, importIdInput, importListAnswer } from "@cardvault/contract";
import { getImport, listImports } from "@cardvault/db";
import { session } from "../procedures.ts";
import { importAnswer } from "./import-answer.ts";

const mostListed = 100;

/** @throws VaultError `not_found` */
export const getImportProcedure = session()
  .input(importIdInput)
  .output(cardImport)
  .query(async ({ ctx, input }) =>
    importAnswer(await getImport(ctx.services.db, ctx.access.accountId, input.id)),
  );

export const listImportsProcedure = session()
  .output(importListAnswer)
  .query(async ({ ctx }) => {
    const rows = await listImports(ctx.services.db, ctx.access.accountId, mostListed);
    // The rows of the sample are for one at a time.
    return { data: rows.map((row) => ({ ...importAnswer(row), sample: [] })) };
  });
