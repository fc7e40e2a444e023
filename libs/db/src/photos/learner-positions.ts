import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** The last card of an account that has been looked at, in the order in which cards have changed. */
export interface LearnerPosition {
  changedAt: Date;
  cardId: string;
}

/** Behind all cards with one stamp. */
const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const firstUuid = "00000000-0000-0000-0000-000000000000";

/** Accounts in which something has changed since their cards were looked at, the longest waiting first. */
export async function findAccountsToLearn(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(
    `select k.account_id from account_clock k left join learner_position l using (account_id)
     where l.account_id is null or (k.last_change, $2::uuid) > (l.changed_at, l.card_id)
     order by l.looked_at nulls first, k.account_id limit $1`,
    [limit, lastUuid],
    "learner-accounts",
  );
  return rows.map(({ account_id: accountId }) => toId("acc", accountId));
}

/** A front of a card that a person has identified, or accepted in review as it is. Its looks have not been learned. */
export interface UnlearnedPhoto {
  photoId: string;
  cardId: string;
  contentHash: Uint8Array;
  /** Where to go on once all photos of this card are done. */
  at: LearnerPosition;
}

/**
 * What is to be learned of the next cards of an account, from where the last look ended.
 * @param cards how many cards are looked at
 * @returns their photos in the order of the cards, and where the look ends: behind all that has been
 * committed where there are no more cards, and then `isLast`
 */
export async function readUnlearnedPhotos(
  db: Queryable,
  accountId: string,
  cards: number,
): Promise<{ photos: UnlearnedPhoto[]; end: LearnerPosition; isLast: boolean }> {
  const account = toUuid(accountId);
  const [from] = await db.query<{ changed_at: Date; card_id: string }>(
    "select changed_at, card_id from learner_position where account_id = $1",
    [account],
    "learner-position",
  );
  // One statement, so one snapshot: whatever has a stamp up to the clock's is in it.
  const rows = await db.query<Row>(
    `with seen as (
       select id, updated_at, status, identified_by, identified_at from card
       where account_id = $1 and (updated_at, id) > ($2::timestamptz, $3::uuid) order by updated_at, id limit $4),
     decided as (
       select card_id, max(changed_at) as changed_at from review_decision
       where account_id = $1 and kind in ('accepted', 'corrected') and undone_at is null
         and card_id in (select id from seen)
       group by card_id)
     select k.last_change, s.id as card_id, s.updated_at, n.photo_id, n.content_hash
     from account_clock k left join seen s on true
     left join decided d on d.card_id = s.id
     left join lateral (
       select p.id as photo_id, p.content_hash from photo p
       join picture f on f.account_id = $1 and f.content_hash = p.content_hash and f.state = 'stored'
       where p.card_id = s.id and p.side = 'front' and s.status = 'identified'
         and (s.identified_by = 'manual' or d.changed_at >= s.identified_at)
         and not exists (select 1 from learned_hash l where l.account_id = $1 and l.photo_id = p.id)
       ) n on true
     where k.account_id = $1 order by s.updated_at, s.id`,
    [account, from?.changed_at ?? new Date(0), from?.card_id ?? firstUuid, cards],
    "photos-unlearned",
  );
  const photos = rows.flatMap(({ photo_id, content_hash, ...row }) => {
    const at = positionOf(row);
    if (at === null || photo_id === null || content_hash === null) return [];
    const photoId = toId("img", photo_id);
    return [{ photoId, cardId: at.cardId, contentHash: content_hash, at }];
  });
  const isLast = new Set(rows.map(({ card_id }) => card_id)).size < cards;
  const last = rows.at(-1);
  const behindAll = { changedAt: last?.last_change ?? new Date(0), cardId: toId("card", lastUuid) };
  const end = isLast || last === undefined ? behindAll : (positionOf(last) ?? behindAll);
  return { photos, end, isLast };
}

type Row = {
  last_change: Date;
  card_id: string | null;
  updated_at: Date | null;
  photo_id: string | null;
  content_hash: Uint8Array | null;
};

function positionOf(row: Pick<Row, "card_id" | "updated_at">): LearnerPosition | null {
  const { card_id: cardId, updated_at: changedAt } = row;
  return cardId === null || changedAt === null ? null : { changedAt, cardId: toId("card", cardId) };
}

/** Never backwards: of two who look at the same account the one who is farther says where to go on. */
export async function writeLearnerPosition(
  db: Queryable,
  accountId: string,
  { changedAt, cardId }: LearnerPosition,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into learner_position as l (account_id, changed_at, card_id, looked_at)
     select id, $2, $3, $4 from account where id = $1
     on conflict (account_id) do update set looked_at = greatest(l.looked_at, excluded.looked_at),
       changed_at = case when (excluded.changed_at, excluded.card_id) > (l.changed_at, l.card_id)
         then excluded.changed_at else l.changed_at end,
       card_id = case when (excluded.changed_at, excluded.card_id) > (l.changed_at, l.card_id)
         then excluded.card_id else l.card_id end`,
    [toUuid(accountId), changedAt, toUuid(cardId, "card"), now],
    "learner-position-write",
  );
}
