import { randomUUID } from "node:crypto";
import type { ListingTemplates } from "@cardvault/domain";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** Of whom a template is. */
export type TemplateOwner = { batchId: string } | { cardId: string };

/** The templates that hold for cards: an account's, and where there are any those of batches and cards. */
export interface KnownTemplates {
  account: ListingTemplates;
  batches: ReadonlyMap<string, ListingTemplates>;
  cards: ReadonlyMap<string, ListingTemplates>;
}

interface Row extends ListingTemplates {
  card: string | null;
  batch: string | null;
}

/** The account's templates, those of cards and of the batches that they are in, and of others. One statement. */
export async function readTemplates(
  db: Queryable,
  accountId: string,
  { cardIds = [], batchIds = [] }: { cardIds?: readonly string[]; batchIds?: readonly string[] },
): Promise<KnownTemplates> {
  const rows = await db.query<Row>(
    `select null::uuid as card, null::uuid as batch, title_template as title, description_template as description
       from account where id = $1
     union all select card_id, null, title, description from listing_template
       where account_id = $1 and card_id = any ($2::uuid[])
     union all select null, batch_id, title, description from listing_template
       where account_id = $1 and (batch_id = any ($3::uuid[])
         or batch_id in (select c.batch_id from card c where c.account_id = $1 and c.id = any ($2::uuid[])))`,
    [
      toUuid(accountId),
      cardIds.map((id) => toUuid(id, "card")),
      batchIds.map((id) => toUuid(id, "batch")),
    ],
    "templates-read",
  );
  const known = { account: { title: null, description: null } as ListingTemplates };
  const batches = new Map<string, ListingTemplates>();
  const cards = new Map<string, ListingTemplates>();
  for (const { card, batch, title, description } of rows) {
    if (card !== null) cards.set(toId("card", card), { title, description });
    else if (batch !== null) batches.set(toId("batch", batch), { title, description });
    else known.account = { title, description };
  }
  return { ...known, batches, cards };
}

/** Writes the templates of a batch or card of the account; without any it has none of its own. */
export async function writeTemplates(
  tx: Queryable,
  accountId: string,
  owner: TemplateOwner,
  { title, description }: ListingTemplates,
  now: Date,
): Promise<void> {
  const column = "batchId" in owner ? "batch_id" : "card_id";
  const ownerId =
    "batchId" in owner ? toUuid(owner.batchId, "batch") : toUuid(owner.cardId, "card");
  if (title === null && description === null) {
    await tx.query(`delete from listing_template where account_id = $1 and ${column} = $2`, [
      toUuid(accountId),
      ownerId,
    ]);
    return;
  }
  await tx.query(
    `insert into listing_template (id, account_id, ${column}, title, description, updated_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (${column}) where ${column} is not null
     do update set title = excluded.title, description = excluded.description, updated_at = excluded.updated_at`,
    [randomUUID(), toUuid(accountId), ownerId, title, description, now],
  );
}
