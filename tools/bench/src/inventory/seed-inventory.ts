import { toUuid } from "@cardvault/kit";
import type pg from "pg";
import { withClient } from "../stack/with-client.ts";
import { benchNames } from "./names.ts";

export interface SeedInventoryOptions {
  readonly databaseUrl: string;
  readonly accountId: string;
  readonly cards: number;
}

const cardsPerBatch = 500;
const cardsPerStep = 100_000;
const minutesBetweenCards = 1.5;

const nameTables = `
create temp table bench_set (set_number int primary key, game text, name text, code text, year int, total int);
create temp table bench_subject (subject_number int primary key, name text);`;

const setStatement = `
insert into bench_set (set_number, game, name, code, year, total) select ordinality - 1, game, name, code, year, total
from rows from (json_to_recordset($1) as (game text, name text, code text, year int, total int)) with ordinality`;
const subjectStatement = `
insert into bench_subject select ordinality - 1, name from unnest($1::text[]) with ordinality as s (name)`;

const batchStatement = `
insert into batch (id, account_id, code, name, status, source, defaults, cost_basis, acquired_at, completed_at, created_at, updated_at)
select uuidv7(at - now()), $1, 'B' || n, 'Collection ' || n, status,
  (array['Estate sale', 'Card show', 'Trade-in', 'Online auction'])[1 + n % 4], '{}', 20000 + n * 137 % 90000, at,
  case when status = 'complete' then at + interval '3 days' end, at, at
from (select n, case when n > $2 - 12 then 'open' else 'complete' end as status, date_trunc('milliseconds', now())
  - ($2 - n) * interval '${cardsPerBatch * minutesBetweenCards} minutes' - interval '1 day' as at from generate_series(1, $2::int) n) numbered`;

/** A number from 0 to 1 that looks like chance and is the same for the same card in every run. */
const chance = (salt: number): string => `((hashint8extended(n, ${salt}) & 1048575) / 1048576.0)`;

// What is asked of chance more than once stands in a column of its own. A power makes a few of them common.
const cardStatement = `
insert into card (id, account_id, batch_id, sku, status, workflow_status, needs_review, review_reason, title, game,
  set_name, set_code, number, year, subject, manufacturer, variant, rarity, language, is_rookie, is_autograph,
  condition, grader, grade, cert_number, quantity, asking_price, price_floor, purchase_price, market_price,
  market_price_currency, market_price_source, market_price_as_of, first_priced_at, location, external_ids, notes, tags,
  identified_by, identification_confidence, identified_at, has_photo, version, created_at, updated_at)
select uuidv7(at - now()), $1, case when n % 97 > 0 then b.id end, 'CV-' || lpad(n::text, 7, '0'),
  case when known then 'identified' else 'imported' end, stage, in_review,
  case when in_review then (array['low_confidence', 'ambiguous', 'unreadable', 'providers_failed'])[1 + n % 4] end,
  case when known then c.name || case when n % 11 = 0 then ' (foil)' else '' end end,
  case when known then s.game end, case when known then s.name end, case when known then s.code end,
  case when known then (1 + (hashint8extended(n, 5) & 65535) % s.total) || '/' || s.total end,
  case when known then s.year end, case when known then c.name end, case when known then 'Lantern Press' end,
  case when known and n % 11 = 0 then 'Reverse foil' end,
  case when known then (array['Common', 'Common', 'Common', 'Common', 'Uncommon', 'Uncommon', 'Rare', 'Rare', 'Mythic', 'Secret'])[1 + (${chance(6)} * 9.99)::int % 10] end,
  case when known then (array['English', 'English', 'English', 'English', 'English', 'English', 'English', 'Japanese', 'German', 'French'])[1 + (${chance(7)} * 9.99)::int % 10] end,
  known and n % 19 = 0, known and n % 131 = 0,
  case when known and not graded then (array['near_mint', 'near_mint', 'near_mint', 'lightly_played', 'moderately_played', 'heavily_played', 'damaged'])[1 + (${chance(8)} * 6.99)::int % 7] end,
  case when graded then (array['PSA', 'PSA', 'BGS', 'CGC'])[1 + n / 14 % 4] end,
  case when graded then (array['10', '9', '9', '8', '7'])[1 + (hashint8extended(n, 9) & 7)::int % 5] end,
  case when graded then (41000000 + n)::text end,
  case when stage = 'sold' then 0 when ${chance(10)} < 0.04 then 2 + n % 7 else 1 end, price,
  case when price is not null then price * 7 / 10 end, 10 + (power(${chance(11)}, 6) * 90000)::int,
  case when known and ${chance(12)} < 0.8 then worth end, case when known and ${chance(12)} < 0.8 then 'USD' end,
  case when known and ${chance(12)} < 0.8 then 'guide' end, case when known and ${chance(12)} < 0.8 then at end,
  case when price is not null then at end,
  case when ${chance(13)} < 0.93 then chr(65 + n % 14) || '-' || (1 + n / 14 % 40) || '-' || (1 + n / 560 % 60) end, '{}',
  case when n % 40 = 0 then 'Corner lightly touched; sleeve changed.' end,
  case when n % 9 = 0 then array['show'] when n % 250 = 0 then array['vault', 'insured'] when n % 13 = 0 then array['binder'] else '{}' end,
  case when known then (array['image_recognition', 'generative_ai', 'manual'])[1 + n % 3] end,
  case when known and n % 3 < 2 then 0.86 + (n % 14) * 0.01 end, case when known then at end,
  n % 10 < 7 or stage in ('photographed', 'listed'), 1 + n % 5, at, at + interval '1 hour'
from (select *, stage <> 'imported' as known, stage <> 'imported' and n % 14 = 0 as graded,
    stage = 'imported' and n % 12 = 1 as in_review,
    case when stage in ('priced', 'photographed', 'listed', 'sold') then worth + worth / 12 end as price
  from (select n, date_trunc('milliseconds', now()) - ($4 - n) * interval '${minutesBetweenCards} minutes' - interval '2 hours' as at,
      25 + (power(${chance(3)}, 7) * 250000)::int as worth, (power(${chance(1)}, 2) * 419)::int as set_number,
      (power(${chance(2)}, 1.6) * $5)::int as subject_number,
      case when n > $4 - 30000 and n % 3 > 0 then 'imported' else
        (array['sold', 'sold', 'identified', 'priced', 'priced', 'priced', 'priced', 'photographed', 'listed', 'archived'])[1 + (${chance(4)} * 9.99)::int % 10] end as stage
    from generate_series($2::int, $3::int) n) numbered) staged
  join bench_set s using (set_number) join bench_subject c using (subject_number)
  join batch b on b.account_id = $1 and b.code = 'B' || (1 + (n - 1) / ${cardsPerBatch})`;

const photoStatement = `
insert into photo (id, account_id, card_id, side, position, content_hash, width, height, created_at)
select uuidv7(c.created_at - now()), $1, c.id, side, position, sha256(c.sku::bytea), 744, 1039, c.created_at
from card c join (values ('front', 0), ('listing', 1)) as kinds (side, position)
  on (side = 'front' and c.sku ~ '[0-6]$') or (side = 'listing' and c.workflow_status in ('photographed', 'listed'))
where c.account_id = $1`;

// The last month sells a few hundred cards a day.
const listingStatement = `
insert into listing (id, account_id, card_id, marketplace, status, external_listing_id, title, price, quantity, quantity_sold,
  published_at, ended_at, end_reason, sold_at, sold_price, order_id, created_at, updated_at)
select uuidv7(published - now()), $1, id, 'ebay', case when is_sold then 'sold' else 'live' end, '3' || substr(sku, 4), title,
  asking_price, 1, is_sold::int, published, case when is_sold then sold end, case when is_sold then 'out_of_stock' end,
  case when is_sold then sold end, case when is_sold then asking_price end, case when is_sold then '12-' || substr(sku, 4) end,
  published, case when is_sold then sold else published end
from (select id, sku, title, asking_price, workflow_status = 'sold' as is_sold, created_at + interval '2 hours' as published,
    date_trunc('milliseconds', greatest(created_at + interval '3 hours', now() - (substr(sku, 4)::int % 5000) * interval '97 minutes')) as sold
  from card where account_id = $1 and workflow_status in ('sold', 'listed')) c`;

const orderLineStatement = `
insert into marketplace_order_line (id, account_id, marketplace, order_id, line_id, listing_id, card_id, external_listing_id,
  title, quantity, total, currency, fee, cost_each, sold_at, modified_at, recorded_at, pulled_at)
select uuidv7(l.sold_at - now()), $1, 'ebay', l.order_id, '1', l.id, l.card_id, l.external_listing_id, l.title, 1, l.sold_price,
  'USD', l.sold_price * 13 / 100, c.purchase_price, l.sold_at, l.sold_at, l.sold_at, l.sold_at
from listing l join card c on c.id = l.card_id where l.account_id = $1 and l.sold_at is not null`;

/**
 * Fills an account straight into the tables, and lets PostgreSQL learn what they hold. The indexes of cards
 * are made at the end, which is several times as fast; the triggers count every row.
 */
export async function seedInventory(options: SeedInventoryOptions): Promise<void> {
  const { databaseUrl, accountId, cards } = options;
  const account = toUuid(accountId, "acc");
  const { sets, subjects } = benchNames();
  await withClient(databaseUrl, async (client) => {
    await client.query(
      "set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB'",
    );
    await client.query(nameTables);
    await client.query(setStatement, [JSON.stringify(sets)]);
    await client.query(subjectStatement, [subjects]);
    await client.query(batchStatement, [account, Math.ceil(cards / cardsPerBatch)]);
    await withoutIndexes(client, ["card", "photo", "listing"], async () => {
      for (let from = 1; from <= cards; from += cardsPerStep) {
        const to = Math.min(cards, from + cardsPerStep - 1);
        await client.query(cardStatement, [account, from, to, cards, subjects.length - 1]);
        console.log(`  ${to} cards`);
      }
      // The cards say already that they have photos.
      await client.query("alter table photo disable trigger user");
      await client.query(photoStatement, [account]);
      await client.query("alter table photo enable trigger user");
      await client.query(listingStatement, [account]);
      await client.query(orderLineStatement, [account]);
    });
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
}

/** Drops the indexes that are no constraint, does the work, and makes them again as they were. */
async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = any ($1::regclass[]) and not i.indisunique`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${client.escapeIdentifier(name)}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
}
