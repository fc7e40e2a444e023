import { VaultError } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Database, Queryable } from "../connection/database.ts";
import { exportRow } from "./export-row.ts";
import type { ExportRow } from "./export-row.ts";
import { exportTables } from "./export-tables.ts";
import type { ExportTable } from "./export-tables.ts";

const rowsAtOnce = 500;

/**
 * Everything of an account as it was at one moment, table after table, some rows at a time: one snapshot of
 * the database, however long it takes to write.
 * @param write is waited for; each file begins with a call, which has no lines where the table has none
 * @returns that moment
 * @throws VaultError `not_found`
 */
export async function exportAccountRows(
  db: Database,
  accountId: string,
  write: (file: string, lines: readonly ExportRow[]) => Promise<void>,
): Promise<{ takenAt: Date }> {
  return db.transaction(async (tx) => {
    await tx.query("set transaction isolation level repeatable read, read only");
    // Sorting all changes of a million cards takes longer than a request may.
    await tx.query("set local statement_timeout = 0");
    const [account] = await tx.query<{ currency: string; now: Date }>(
      "select currency, transaction_timestamp() as now from account where id = $1",
      [toUuid(accountId, "acc")],
    );
    if (account === undefined) throw new VaultError("not_found");
    for (const table of exportTables) {
      await write(table.name, []);
      await eachPage(tx, table, toUuid(accountId), (rows) =>
        write(
          table.name,
          rows.map((row) => table.toLine?.(row) ?? exportRow(row, table, account.currency)),
        ),
      );
    }
    return { takenAt: account.now };
  });
}

/** Through a cursor of the server: what has been read is forgotten there and here. */
async function eachPage(
  tx: Queryable,
  { select }: ExportTable,
  accountUuid: string,
  take: (rows: readonly ExportRow[]) => Promise<void>,
): Promise<void> {
  await tx.query(`declare exported no scroll cursor for ${select}`, [accountUuid]);
  for (;;) {
    const rows = await tx.query<ExportRow>(`fetch ${rowsAtOnce} from exported`);
    if (rows.length > 0) await take(rows);
    if (rows.length < rowsAtOnce) break;
  }
  await tx.query("close exported");
}
