import type { SalesExport } from "@cardvault/contract";
import { listSales } from "@cardvault/db";
import { createLedgerWriter } from "@cardvault/exchange";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";

const rowsAtOnce = 1_000;

/**
 * Writes the ledger as CSV, the latest sale first, however many there are.
 * @param write is given the next piece of text, and is waited for
 */
export async function exportSales(
  { db }: Pick<Services, "db">,
  { accountId }: Pick<Access, "accountId">,
  filters: SalesExport,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const writer = createLedgerWriter();
  let text = writer.head;
  let cursor: string | undefined;
  do {
    const page = { ...filters, limit: rowsAtOnce, cursor };
    const { data, next_cursor } = await listSales(db, accountId, page);
    await write(text + data.map((sale) => writer.line(sale)).join(""));
    text = "";
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}
