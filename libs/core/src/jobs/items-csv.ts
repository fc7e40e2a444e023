import { jobIdInput, jobItemsCsvAnswer, maxExportedItems, maxPageSize } from "@cardvault/contract";
import type { JobItem } from "@cardvault/contract";
import { listJobItems } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { session } from "../procedures.ts";

const header = ["card_id", "sku", "title", "outcome", "code", "message"];

/**
 * The cards of a job that have something to say, as CSV (RFC 4180), the first of them where there are very many.
 * @throws VaultError `not_found`
 */
async function exportItems(
  db: Database,
  accountId: string,
  id: string,
): Promise<{ file_name: string; csv: string }> {
  const lines = [header.join(",")];
  let cursor: string | undefined;
  do {
    const page = { id, remarked: true, limit: maxPageSize, cursor };
    const { data, next_cursor } = await listJobItems(db, accountId, page);
    lines.push(...data.map(lineOf));
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined && lines.length <= maxExportedItems);
  return { file_name: `${id}.csv`, csv: `${lines.join("\r\n")}\r\n` };
}

function lineOf({ card, outcome, code, message }: JobItem): string {
  return [card.id, card.sku, card.title, outcome, code, message].map(cellOf).join(",");
}

/** A cell that a spreadsheet would take for a formula is told not to be one. */
function cellOf(value: string | null): string {
  const text = value ?? "";
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const itemsCsvProcedure = session()
  .input(jobIdInput)
  .output(jobItemsCsvAnswer)
  .query(({ ctx, input }) => exportItems(ctx.services.db, ctx.access.accountId, input.id));
