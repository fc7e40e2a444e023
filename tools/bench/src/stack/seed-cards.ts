import { withClient } from "./with-client.ts";
import { toId, toUuid } from "@cardvault/kit";

export interface SeedOptions {
  readonly databaseUrl: string;
  readonly accountId: string;
  readonly cards: number;
}

const cardsPerBatch = 500;

const batchStatement = `
insert into batch (id, account_id, code, name, status, source, description, defaults, cost_basis, acquired_at,
  created_at, updated_at)
select uuidv7(at - now()), $1, 'B' || n, 'Collection ' || n, 'open',
  (array['Estate sale', 'Card show', 'Trade-in', 'Online auction'])[1 + n % 4], null,
  '{"set": null, "game": null, "condition": null, "language": "English", "location": null, "price_floor": null}',
  20000 + n * 137 % 90000, at, at, at
from (select n, date_trunc('milliseconds', now()) - ($2 - n) * interval '1 day' as at
  from generate_series(1, $2::int) n) numbered`;

// Stages, fields and photos go by remainders, so every run has the same inventory but for its times.
const cardStatement = `
insert into card (id, account_id, batch_id, sku, status, workflow_status, needs_review, review_reason, title, game,
  set_name, set_code, number, year, subject, team, manufacturer, variant, rarity, language, is_rookie, is_autograph,
  condition, grader, grade, cert_number, quantity, asking_price, price_floor, purchase_price, market_price,
  market_price_currency, market_price_source, market_price_as_of, first_priced_at, location, external_ids, notes, tags,
  identified_by, identification_confidence, identified_at, version, created_at, updated_at)
select uuidv7(at - now()), $1, b.id, b.code || '-' || lpad(n::text, 6, '0'),
  case when known then 'identified' else 'imported' end, stage,
  stage = 'imported' and n % 20 = 0, case when stage = 'imported' and n % 20 = 0 then 'unreadable' end,
  case when known then subject || ' ' || set_name end, case when known then game end,
  case when known then set_name end, case when known then set_code end,
  case when known then (1 + n % 165) || '/165' end, case when known then 1990 + n % 36 end,
  case when known then subject end, case when known and n % 2 = 0 then team end,
  case when known then 'Lantern Press' end, case when n % 7 = 0 and known then 'Reverse foil' end,
  case when known then (array['Common', 'Uncommon', 'Rare', 'Mythic'])[1 + n % 4] end,
  case when known then 'English' end, known and n % 9 = 0, known and n % 31 = 0,
  case when known and n % 12 <> 0 then (array['near_mint', 'lightly_played', 'moderately_played'])[1 + n % 3] end,
  case when known and n % 12 = 0 then 'PSA' end, case when known and n % 12 = 0 then (7 + n % 4)::text end,
  case when known and n % 12 = 0 then (41000000 + n)::text end,
  1 + (n % 40 = 0)::int, price, case when price is not null then price * 7 / 10 end, 50 + n * 31 % 4000,
  case when n % 5 = 0 and known then price + 75 end, case when n % 5 = 0 and known and price is not null then 'USD' end,
  case when n % 5 = 0 and known and price is not null then 'guide' end,
  case when n % 5 = 0 and known and price is not null then at end,
  case when price is not null then at end,
  'Shelf ' || chr(65 + n % 12) || '-' || (1 + n % 40),
  case when n % 6 = 0 then jsonb_build_object('tcg', (900000 + n)::text) else '{}' end,
  case when n % 15 = 0 then 'Corner lightly touched; sleeve changed.' end,
  case when n % 4 = 0 then array['foil', 'show'] when n % 4 = 1 then array['vault'] else '{}' end,
  case when known then (array['image_recognition', 'image_recognition', 'generative_ai', 'manual'])[1 + n % 4] end,
  case when known and n % 4 < 3 then 0.86 + (n % 14) * 0.01 end, case when known then at end,
  1 + n % 5, at, at + interval '1 hour'
from (select n, date_trunc('milliseconds', now()) - ($2 - n) * interval '5 minutes' - interval '2 hours' as at,
    stage, stage <> 'imported' as known,
    case when stage in ('priced', 'photographed') then 100 + n * 7919 % 25000 end as price,
    (array['Tidewing Drake', 'Ember Warden', 'Mira Holt', 'Glass Oracle', 'Jonas Pike', 'Hollow Stag', 'Dax Renner',
      'Lantern Fox', 'Sable Knight', 'Orin Vale', 'Thorn Witch'])[1 + n % 11] as subject,
    (array['Aetherbound', 'Wardens of Orr', 'Baseball'])[1 + n % 3] as game,
    (array['Ember Coast', 'First Light', 'Coastal League Rookies'])[1 + n % 3] as set_name,
    (array['EMC', 'WFL', 'CLR'])[1 + n % 3] as set_code,
    (array['Harbor Gulls', 'Pine City Owls', 'Northgate Rams'])[1 + n % 3] as team
  from (select n, (array['imported', 'identified', 'identified', 'priced', 'priced', 'priced', 'priced', 'priced',
      'photographed', 'archived'])[1 + n % 10] as stage from generate_series(1, $2::int) n) staged) numbered
  join batch b on b.account_id = $1 and b.code = 'B' || (1 + (n - 1) / ${cardsPerBatch})`;

const photoStatement = `
insert into photo (id, account_id, card_id, side, position, content_hash, width, height, created_at)
select uuidv7(c.created_at - now()), $1, c.id, side, position, sha256(c.sku::bytea), 744, 1039, c.created_at
from card c join (values ('front', 0), ('listing', 1)) as kinds (side, position)
  on (side = 'front' and right(c.sku, 1) in ('0', '3', '6', '8')) or (side = 'listing' and c.workflow_status = 'photographed')
where c.account_id = $1`;

/**
 * Fills an account with batches, cards and photos of them, straight into the tables, and lets
 * PostgreSQL learn what they hold. No picture is drawn: the rows are what a list reads.
 */
export async function seedCards({ databaseUrl, accountId, cards }: SeedOptions): Promise<void> {
  const account = toUuid(accountId, "acc");
  await withClient(databaseUrl, async (client) => {
    await client.query("begin");
    await client.query(batchStatement, [account, Math.ceil(cards / cardsPerBatch)]);
    await client.query(cardStatement, [account, cards]);
    await client.query(photoStatement, [account]);
    await client.query("commit");
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
}

/** Ids of an account's cards in a stage, in no particular order that the pages have. */
export async function someCards(
  databaseUrl: string,
  accountId: string,
  count: number,
  stages: readonly string[],
): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from card where account_id = $1 and workflow_status = any ($2) order by md5(sku) limit $3`,
      [toUuid(accountId, "acc"), stages, count],
    );
    return rows.map(({ id }) => toId("card", id));
  });
}
