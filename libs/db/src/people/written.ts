import { VaultError } from "@cardvault/contract";

/** The row that a statement must have written; without it the account went away meanwhile. */
export function written<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new VaultError("not_found");
  return row;
}
