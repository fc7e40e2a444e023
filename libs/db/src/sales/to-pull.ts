import { VaultError } from "@cardvault/contract";
import type { PullAnswer, PullInput, PullLine } from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import type { PhotoUrl } from "../read/cards.ts";

type PullRow = Omit<PullLine, "sold_at" | "thumbnail_url"> & {
  sold_at: Date;
  photo_id: string | null;
};

/** Sold by an order, not all cancelled, and not taken from its place yet: as the partial index says. */
const waits = "l.pulled_at is null and l.cancelled_quantity < l.quantity and l.unmatched is null";

/** A card without a place comes last. */
const walk = [
  "c.location_order is null",
  "coalesce(c.location_order, '')",
  "coalesce(c.title, l.title)",
  "l.id",
];

/**
 * Sold copies that lie in their places still, by place in the order of a walk, then by title; behind the line
 * `after`, from where its card lies now.
 * @throws VaultError `not_found` for an `after` that is no line
 */
export async function listToPull(
  db: Queryable,
  accountId: string,
  { limit, after }: PullInput,
  photoUrl: PhotoUrl,
): Promise<PullAnswer> {
  const from = after === undefined ? [] : await placeInWalk(db, accountId, after);
  const behind = from.length === 0 ? "" : `and (${walk.join(", ")}) > ($3, $4, $5, $6::uuid)`;
  const rows = await db.query<PullRow>(
    `select l.id, l.card_id, coalesce(c.title, l.title) as title, c.sku, c.set_name as set, c.number, c.location,
       l.quantity - l.cancelled_quantity as quantity, l.order_id, l.is_paid, l.sold_at,
       (select p.id from photo p where p.card_id = c.id order by p.position, p.id limit 1) as photo_id
     from marketplace_order_line l join card c on c.id = l.card_id
     where l.account_id = $1 and ${waits} ${behind}
     order by ${walk.join(", ")} limit $2`,
    [toUuid(accountId), limit + 1, ...from],
    behind === "" ? "sales_to_pull" : "sales_to_pull_behind",
  );
  return {
    data: rows.slice(0, limit).map(({ photo_id: photo, ...row }) => ({
      ...row,
      id: toId("sale", row.id),
      card_id: toId("card", row.card_id),
      sold_at: row.sold_at.toISOString(),
      thumbnail_url: photo === null ? null : photoUrl(toId("img", photo), "thumbnail"),
    })),
    has_more: rows.length > limit,
  };
}

/** @throws VaultError `not_found` */
async function placeInWalk(
  db: Queryable,
  accountId: string,
  lineId: string,
): Promise<(string | boolean)[]> {
  const [line] = isId("sale", lineId)
    ? await db.query<{ place: (string | boolean)[] }>(
        `select jsonb_build_array(${walk.join(", ")}) as place
         from marketplace_order_line l join card c on c.id = l.card_id
         where l.account_id = $1 and l.id = $2`,
        [toUuid(accountId), toUuid(lineId)],
      )
    : [];
  if (line === undefined) throw new VaultError("not_found");
  return line.place;
}

/**
 * The tick, or its undo. An id that is no such line of the account, and one that is ticked so already, is passed over.
 * @returns those that were changed
 */
export async function markPulled(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
  pulled: { at: Date; by: string | null } | null,
): Promise<string[]> {
  const wanted = ids.filter((id) => isId("sale", id)).map((id) => toUuid(id));
  const rows = await db.query<{ id: string }>(
    `update marketplace_order_line l set pulled_at = $3::timestamptz, pulled_by = $4
     where l.account_id = $1 and l.id = any ($2::uuid[]) and (l.pulled_at is null) = ($3::timestamptz is not null)
       and l.unmatched is null
     returning l.id`,
    [toUuid(accountId), wanted, pulled?.at ?? null, pulled?.by ?? null],
  );
  return rows.map(({ id }) => toId("sale", id));
}
