import { VaultError } from "@cardvault/contract";
import type { ImportMapping } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** How an account reads lists with certain headers. */
export interface SavedMapping {
  signature: string;
  name: string;
  mapping: ImportMapping;
  updatedAt: Date;
}

const columns = `signature, name, mapping, updated_at as "updatedAt"`;

export function listMappings(db: Queryable, accountId: string): Promise<SavedMapping[]> {
  return db.query<SavedMapping>(
    `select ${columns} from import_mapping where account_id = $1 order by lower(name), signature`,
    [toUuid(accountId)],
  );
}

export async function findMapping(
  db: Queryable,
  accountId: string,
  signature: string,
): Promise<SavedMapping | null> {
  const [row] = await db.query<SavedMapping>(
    `select ${columns} from import_mapping where account_id = $1 and signature = $2`,
    [toUuid(accountId), signature],
  );
  return row ?? null;
}

/** Saves a mapping in the place of the one for the same headers. */
export async function saveMapping(
  db: Queryable,
  accountId: string,
  { signature, name, mapping, updatedAt }: SavedMapping,
): Promise<void> {
  await db.query(
    `insert into import_mapping (account_id, signature, name, mapping, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (account_id, signature) do update
       set name = excluded.name, mapping = excluded.mapping, updated_at = excluded.updated_at`,
    [toUuid(accountId), signature, name, JSON.stringify(mapping), updatedAt],
  );
}

/** @throws VaultError `not_found` */
export async function deleteMapping(
  db: Queryable,
  accountId: string,
  signature: string,
): Promise<void> {
  const rows = await db.query(
    "delete from import_mapping where account_id = $1 and signature = $2 returning 1 as one",
    [toUuid(accountId), signature],
  );
  if (rows.length === 0) throw new VaultError("not_found");
}
