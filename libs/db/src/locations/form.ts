import { VaultError } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { afterPrefix } from "../read/statement.ts";

/** All texts that begin with a prefix are before it. U+10FFFF is no character that a text has. */
export function endOf(prefix: string): string {
  return afterPrefix(prefix) ?? "\u{10ffff}";
}

/**
 * The currency of an account and what stands between the parts of its locations.
 * @throws VaultError `not_found`
 */
export async function readForm(
  db: Queryable,
  accountId: string,
): Promise<{ currency: string; separator: string }> {
  const [row] = await db.query<{ currency: string; separator: string }>(
    `select currency, location_separator as separator from account where id = $1`,
    [toUuid(accountId)],
    "location_form",
  );
  if (row === undefined) throw new VaultError("not_found");
  return row;
}
