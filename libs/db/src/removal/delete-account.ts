import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

const rowsAtOnce = 2_000;
/** A card takes its history, photos, prices and identifications with it. */
const cardsAtOnce = 200;

const own = "account_id = $1";
const ofParent = (column: string, parent: string): string =>
  `${column} in (select id from ${parent} where account_id = $1)`;

/**
 * The tables that can be large, in an order in which no row is referred to any more when it goes. What is
 * not here goes with the account's own row. Counters go before cards: else each chunk would count them down.
 */
const steps: readonly { readonly table: string; readonly where: string }[] = [
  { table: "webhook_attempt", where: own },
  { table: "webhook_delivery", where: own },
  { table: "webhook_event", where: own },
  { table: "notice", where: own },
  { table: "webhook_endpoint", where: own },
  { table: "photo_import_file", where: ofParent("import_id", "photo_import") },
  { table: "photo_import", where: own },
  { table: "card_import_row", where: ofParent("import_id", "card_import") },
  { table: "card_import_key", where: ofParent("import_id", "card_import") },
  { table: "card_import_part", where: ofParent("import_id", "card_import") },
  { table: "card_import", where: own },
  { table: "job_item", where: ofParent("job_id", "job") },
  { table: "job_patch", where: ofParent("job_id", "job") },
  { table: "job", where: own },
  { table: "card_word", where: own },
  { table: "location_total", where: own },
  { table: "card_count", where: own },
  { table: "scan", where: own },
  { table: "review_decision", where: own },
  { table: "listing_difference", where: own },
  { table: "listing_publication", where: own },
  { table: "marketplace_order_line", where: own },
  { table: "hand_sale", where: own },
  { table: "listing_template", where: own },
  { table: "card", where: own },
  { table: "picture", where: own },
  { table: "trail_entry", where: own },
  { table: "idempotency_record", where: own },
];

/** The steps of a removal, in their order: the tables' names. */
export const removalSteps: readonly string[] = steps.map(({ table }) => table);

/** A card and its listings refer to each other, so they go in one statement. */
const deleteCards = `
  with chosen as materialized (select id from card where account_id = $1 order by id limit $2),
    listings as (delete from listing where account_id = $1 and card_id in (select id from chosen)),
    gone as (delete from card where id in (select id from chosen) returning 1)
  select count(*) as deleted from gone`;

/**
 * Deletes the next rows of one step. Commit it before the next call: locks and work are bounded.
 * @returns how many, and whether there may be more
 */
export async function deleteAccountRows(
  tx: Queryable,
  accountId: string,
  step: string,
): Promise<{ deleted: number; hasMore: boolean }> {
  const found = steps.find(({ table }) => table === step);
  if (found === undefined) throw new RangeError(`${step} is no step of a removal`);
  const { table, where } = found;
  const limit = table === "card" ? cardsAtOnce : rowsAtOnce;
  const [row] = await tx.query<{ deleted: number }>(
    table === "card"
      ? deleteCards
      : `with gone as (delete from ${table} where ctid = any (array(
           select ctid from ${table} where ${where} limit $2)) returning 1)
         select count(*) as deleted from gone`,
    [toUuid(accountId), limit],
  );
  const deleted = row?.deleted ?? 0;
  return { deleted, hasMore: deleted === limit };
}

/**
 * Takes from everybody what lets them into an account: its keys, invitations, consents, the connection to a
 * marketplace with its sealed token, and its members. Who then belongs to no account goes altogether, with
 * sessions, password and open links; operators of the platform stay.
 * @returns how many people
 */
export async function shutOutOfAccount(tx: Queryable, accountId: string): Promise<number> {
  const account = toUuid(accountId);
  for (const table of ["api_key", "invitation", "marketplace_consent", "marketplace_connection"]) {
    await tx.query(`delete from ${table} where account_id = $1`, [account]);
  }
  const members = await tx.query<{ user_id: string }>(
    `delete from member where account_id = $1 returning user_id`,
    [account],
  );
  const people = await tx.query<{ id: string }>(
    `delete from auth."user" u where u.id = any ($1::text[])
       and not exists (select 1 from member m where m.user_id = u.id)
       and not exists (select 1 from platform_operator o where o.user_id = u.id)
     returning u.id`,
    [members.map(({ user_id }) => user_id)],
  );
  await tx.query(`delete from auth."verification" where value = any ($1::text[])`, [
    people.map(({ id }) => id),
  ]);
  return people.length;
}

/**
 * Deletes the account itself, and with it every row that still belongs to it: one that somebody wrote
 * meanwhile too. After it none can be written.
 */
export async function deleteAccountItself(tx: Queryable, accountId: string): Promise<void> {
  const account = toUuid(accountId);
  // Tables that are found by card or endpoint are read whole, once.
  await tx.query("set local statement_timeout = 0");
  // The simulators know a test account by its id.
  await tx.query(`delete from sandbox_record where position($1 in key) > 0`, [accountId]);
  await tx.query(
    `update card set listing_id = null where account_id = $1 and listing_id is not null`,
    [account],
  );
  for (const table of ["listing", "card", "photo_import", "card_import", "job", "batch"]) {
    await tx.query(`delete from ${table} where account_id = $1`, [account]);
  }
  await tx.query(`delete from account where id = $1`, [account]);
}
