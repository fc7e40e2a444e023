import { readAccountStamp } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import type { Shop } from "./shop.ts";

/**
 * Runs changes of cards, of each card one at most, and dates what they wrote back to when it would have
 * been: the cards, the entries of their history with the identifications that made them, and the events.
 * No endpoint may be registered yet: the time in the events' bodies moves too.
 * @param work answers when each card was changed, by its id
 */
export async function inThePast(
  { services: { db }, access: { accountId } }: Pick<Shop, "services" | "access">,
  work: () => Promise<ReadonlyMap<string, Date>>,
): Promise<void> {
  const since = await readAccountStamp(db, accountId);
  const times = await work();
  const values = [[...times.keys()].map((id) => toUuid(id)), [...times.values()], since];
  const moved = "from unnest($1::uuid[], $2::timestamptz[]) as t (id, at)";
  await db.transaction(async (tx) => {
    for (const statement of [
      `update identification i set changed_at = case when i.changed_at is null then null else t.at end,
         started_at = t.at - interval '2 s', finished_at = t.at
       ${moved} where i.card_id = t.id and i.finished_at >= $3`,
      `update card_change h set changed_at = t.at ${moved} where h.card_id = t.id and h.changed_at >= $3`,
      `update webhook_event e set created_at = t.at, body = regexp_replace(e.body, '"created_at":"[^"]+"',
         '"created_at":"' || to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"')
       ${moved} where e.subject_id = t.id and e.created_at >= $3`,
      `update card c set updated_at = t.at,
         identified_at = case when c.identified_at >= $3 then t.at else c.identified_at end
       ${moved} where c.id = t.id and c.updated_at >= $3`,
    ]) {
      await tx.query(statement, values);
    }
  });
}
