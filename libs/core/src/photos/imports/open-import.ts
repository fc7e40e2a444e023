import { VaultError } from "@cardvault/contract";
import { getPhotoImport, lockPhotoImport } from "@cardvault/db";
import type { PhotoImportRow, Transaction } from "@cardvault/db";
import type { Access } from "../../context.ts";
import type { Services } from "../../services.ts";

/**
 * An import that still takes files, locked until the commit.
 * @throws VaultError `not_found`; `conflict` once its cards are being made
 */
export async function lockOpenImport(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<PhotoImportRow> {
  const found = await lockPhotoImport(tx, accountId, id);
  if (found.status !== "open") throw closed();
  return found;
}

/**
 * Looks whether an import takes files, before any are read.
 * @throws VaultError `not_found`; `conflict` once its cards are being made
 */
export async function requireOpenImport(
  { db }: Pick<Services, "db">,
  { accountId }: Pick<Access, "accountId">,
  id: string,
): Promise<void> {
  const { status } = await getPhotoImport(db, accountId, id);
  if (status !== "open") throw closed();
}

function closed(): VaultError {
  return new VaultError("conflict", { message: "The cards of this import are being made." });
}
