import { cardRow } from "@cardvault/contract";
import type { Card, CardRow } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { cardProjection, toCard } from "./cards.ts";
import type { PhotoUrl, StoredCard } from "./cards.ts";

interface StoredRow extends StoredCard {
  batch_code: string | null;
}

type Member = keyof CardRow & keyof Card;
const added = ["batch_code", "photo_count", "thumbnail_url"];
const members = Object.keys(cardRow.shape).filter((name) => !added.includes(name)) as Member[];

/**
 * The rows of a table or a grid: as they are now, in the order of the ids. An id that is no card of the
 * account has no row.
 */
export async function listCardRows(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
  photoUrl: PhotoUrl,
): Promise<CardRow[]> {
  const rows = await db.query<StoredRow>(
    `select c.id, ${cardProjection}, (select b.code from batch b where b.id = c.batch_id) as batch_code
     from unnest($2::uuid[]) with ordinality as w (id, place)
     join card c on c.id = w.id and c.account_id = $1 order by w.place`,
    [toUuid(accountId), ids.map((id) => toUuid(id, "card"))],
    "card_rows",
  );
  return rows.map((row) => toRow(row, photoUrl));
}

function toRow(row: StoredRow, photoUrl: PhotoUrl): CardRow {
  const card = toCard({ ...row, photos: row.photos.slice(0, 1) }, photoUrl);
  const picked = Object.fromEntries(members.map((name) => [name, card[name]])) as Pick<
    CardRow,
    Member
  >;
  return {
    ...picked,
    batch_code: row.batch_code,
    photo_count: row.photos.length,
    thumbnail_url: card.photos[0]?.thumbnail_url ?? null,
  };
}
