import { importRowsAnswer, importRowsInput } from "@cardvault/contract";
import { getImport, listImportRows } from "@cardvault/db";
import { session } from "../procedures.ts";

/** @throws VaultError `not_found` */
export const listImportRowsProcedure = session()
  .input(importRowsInput)
  .output(importRowsAnswer)
  .query(async ({ ctx, input: { id, after_row: after, ...query } }) => {
    const { db } = ctx.services;
    const found = await getImport(db, ctx.access.accountId, id);
    const { rows, hasMore } = await listImportRows(db, found.id, { ...query, after });
    return {
      data: rows.map((row) => ({
        row: row.row,
        verdict: row.verdict,
        outcome: row.outcome,
        card_id: row.cardId,
        same_as_row: row.sameAsRow,
        matched_by: row.matchedBy,
        fields: row.fields,
        problems: row.problems,
      })),
      has_more: hasMore,
    };
  });
