import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** So many bytes of a file are one row; the last has what is left. */
export const importPartBytes = 256 * 1024;

export async function insertImportPart(
  db: Queryable,
  importId: string,
  position: number,
  bytes: Uint8Array,
): Promise<void> {
  await db.query(
    "insert into card_import_part (import_id, position, bytes) values ($1, $2, $3)",
    [toUuid(importId, "imp"), position, Buffer.from(bytes)],
    "import-part-insert",
  );
}

/** A piece of a file; null behind its end. */
export async function readImportPart(
  db: Queryable,
  importId: string,
  position: number,
): Promise<Uint8Array | null> {
  const [row] = await db.query<{ bytes: Buffer }>(
    "select bytes from card_import_part where import_id = $1 and position = $2",
    [toUuid(importId, "imp"), position],
    "import-part",
  );
  return row?.bytes ?? null;
}
