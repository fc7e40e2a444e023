import { VaultError } from "@cardvault/contract";
import type { Card, CardSelection } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Database, Queryable } from "../connection/database.ts";
import { cardProjection, toCard } from "./cards.ts";
import type { PhotoUrl, StoredCard } from "./cards.ts";
import { readSelectedIds } from "./selection.ts";

const pageSize = 500;

/** How an account's cards are written. */
export interface ExportedAccount {
  /** ISO 4217 */
  currency: string;
}

/**
 * All cards of a selection as they were at one moment, in the order in which they were made, page by
 * page. Each page is a statement by its keys; together they see one snapshot of the database.
 * @param write is waited for, so a slow reader holds one page and one connection
 * @throws VaultError `not_found` for an account that is not there
 */
export async function eachSelectedCard(
  db: Database,
  accountId: string,
  selection: CardSelection,
  photoUrl: PhotoUrl,
  write: (cards: Card[], account: ExportedAccount) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query("set transaction isolation level repeatable read, read only");
    const [account] = await tx.query<ExportedAccount>(
      "select currency from account where id = $1",
      [toUuid(accountId, "acc")],
    );
    if (account === undefined) throw new VaultError("not_found");
    let after: string | undefined;
    for (;;) {
      const ids = await readSelectedIds(tx, accountId, selection, { after, limit: pageSize });
      // An account without a card has its header, too.
      if (ids.length > 0 || after === undefined) {
        await write(await readCards(tx, accountId, ids, photoUrl), account);
      }
      after = ids.at(-1);
      if (ids.length < pageSize) return;
    }
  });
}

async function readCards(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
  photoUrl: PhotoUrl,
): Promise<Card[]> {
  const rows = await db.query<StoredCard>(
    `select c.id, ${cardProjection} from card c where c.account_id = $1 and c.id = any ($2::uuid[]) order by c.id`,
    [toUuid(accountId), ids.map((id) => toUuid(id, "card"))],
    "export_cards",
  );
  return rows.map((row) => toCard(row, photoUrl));
}
