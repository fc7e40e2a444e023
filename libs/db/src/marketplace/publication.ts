import type { Condition, ListingEndReason, Money } from "@cardvault/contract";
import type { Grading, ListingError } from "@cardvault/domain";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** What is asked of the marketplace, one after the other; `done` once the outcome is known. */
export type PublicationStep = "waiting" | "look" | "item" | "offer" | "terms" | "publish" | "done";

/** What a request to publish gave of its own. */
export interface GivenTerms {
  price?: Money | undefined;
  title?: string | undefined;
  description?: string | undefined;
}

/** A listing as the marketplace was given it. */
export interface AskedListing {
  title: string;
  description: string;
  categoryId: string;
  price: Money;
  /** Copies that are left. */
  quantity: number;
  condition: Condition | null;
  grading: Grading | null;
  aspects: Record<string, readonly string[]>;
  photoIds: string[];
}

/** What a live listing is to be given; `true` means what the card has at that moment. */
export interface WantedRevision {
  price?: Money | undefined;
  title?: string | undefined;
  description?: string | undefined;
  quantity?: true | undefined;
  photos?: true | undefined;
  condition?: true | undefined;
}

/** How far the publication of a listing is, and what it is still to be given. */
export interface Publication {
  listingId: string;
  sku: string;
  offerId: string | null;
  step: PublicationStep;
  stepBeganAt: Date | null;
  /** Null while the step's call has no known answer. */
  stepEndedAt: Date | null;
  /** When it was last asked to be published without our knowing the answer: it may yet take effect. */
  unsettledAt: Date | null;
  tries: number;
  nextTryAt: Date | null;
  deadlineAt: Date;
  cancelRequestedAt: Date | null;
  refusal: ListingError | null;
  given: GivenTerms;
  asked: AskedListing | null;
  wanted: WantedRevision | null;
  /** Counts what was wanted: a revision that ends settles only what it has seen. */
  wantedCount: number;
  withdrawReason: ListingEndReason | null;
  seenEndedAt: Date | null;
}

export interface NewPublication {
  listingId: string;
  sku: string;
  deadlineAt: Date;
  given: GivenTerms;
  bulkJobId?: string | undefined;
}

/** Beside a new listing that the same transaction has written. */
export async function insertPublication(
  tx: Queryable,
  accountId: string,
  { listingId, sku, deadlineAt, given, bulkJobId }: NewPublication,
): Promise<void> {
  await tx.query(
    `insert into listing_publication (listing_id, account_id, sku, deadline_at, given, bulk_job_id)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      toUuid(listingId, "lst"),
      toUuid(accountId),
      sku,
      deadlineAt,
      JSON.stringify(given),
      bulkJobId === undefined ? null : toUuid(bulkJobId, "job"),
    ],
    "publication-insert",
  );
}

const columns = `listing_id as "listingId", sku, offer_id as "offerId", step, step_began_at as "stepBeganAt",
  step_ended_at as "stepEndedAt", unsettled_at as "unsettledAt", tries, next_try_at as "nextTryAt",
  deadline_at as "deadlineAt", cancel_requested_at as "cancelRequestedAt", refusal, given, asked, wanted,
  wanted_count as "wantedCount", withdraw_reason as "withdrawReason", seen_ended_at as "seenEndedAt"`;

const publicationFrom = (row: Publication): Publication => ({
  ...row,
  listingId: toId("lst", row.listingId),
});

/** Null for a listing that is not the account's, and for one that was not published by us. */
export async function findPublication(
  db: Queryable,
  accountId: string,
  listingId: string,
): Promise<Publication | null> {
  if (!isId("lst", listingId)) return null;
  const [row] = await db.query<Publication>(
    `select ${columns} from listing_publication where account_id = $1 and listing_id = $2`,
    [toUuid(accountId), toUuid(listingId)],
    "publication-find",
  );
  return row === undefined ? null : publicationFrom(row);
}

type PublicationChanges = { [Name in keyof Omit<Publication, "listingId">]?: Publication[Name] };

const columnOf: Record<keyof PublicationChanges, string> = {
  sku: "sku",
  offerId: "offer_id",
  step: "step",
  stepBeganAt: "step_began_at",
  stepEndedAt: "step_ended_at",
  unsettledAt: "unsettled_at",
  tries: "tries",
  nextTryAt: "next_try_at",
  deadlineAt: "deadline_at",
  cancelRequestedAt: "cancel_requested_at",
  refusal: "refusal",
  given: "given",
  asked: "asked",
  wanted: "wanted",
  wantedCount: "wanted_count",
  withdrawReason: "withdraw_reason",
  seenEndedAt: "seen_ended_at",
};
const jsonColumns: readonly string[] = ["refusal", "given", "asked", "wanted"];

/** Writes the members that are given. */
export async function writePublication(
  tx: Queryable,
  accountId: string,
  listingId: string,
  changes: PublicationChanges,
): Promise<void> {
  const given = Object.entries(changes) as [keyof PublicationChanges, unknown][];
  const sets = given.map(([name], index) => `${columnOf[name]} = $${index + 3}`);
  const values = given.map(([name, value]) =>
    jsonColumns.includes(name) && value !== null ? JSON.stringify(value) : value,
  );
  await tx.query(
    `update listing_publication set ${sets.join(", ")} where account_id = $1 and listing_id = $2`,
    [toUuid(accountId), toUuid(listingId, "lst"), ...values],
  );
}

/** A listing that was found live, and not published by us, has a publication from its first change on. */
const adopted = `insert into listing_publication (listing_id, account_id, sku, step, deadline_at)
  select l.id, l.account_id, coalesce(c.sku, ''), 'done', l.created_at from listing l join card c on c.id = l.card_id
  where l.account_id = $1 and l.id = $2 on conflict do nothing`;

/**
 * Adds to what a listing is to be given. The account's clock must be held.
 * @returns whether nothing was wanted before: then a job is to be made, else one is under way
 */
export async function wantRevision(
  tx: Queryable,
  accountId: string,
  listingId: string,
  wanted: WantedRevision,
): Promise<boolean> {
  const place = [toUuid(accountId), toUuid(listingId, "lst")];
  await tx.query(adopted, place, "publication-adopt");
  const [row] = await tx.query<{ had: boolean }>(
    `update listing_publication p set wanted = coalesce(p.wanted, '{}') || $3, wanted_count = p.wanted_count + 1
     from (select wanted is not null as had from listing_publication where listing_id = $2) b
     where p.account_id = $1 and p.listing_id = $2 returning b.had`,
    [...place, JSON.stringify(wanted)],
    "publication-want",
  );
  return row?.had === false;
}

/**
 * What was wanted has been brought, or was refused. The account's clock must be held.
 * @param seen what it counted when it was read
 * @returns false where more was asked for since: all of it is still wanted
 */
export async function settleWanted(
  tx: Queryable,
  accountId: string,
  listingId: string,
  seen: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update listing_publication set wanted = null where account_id = $1 and listing_id = $2 and wanted_count = $3
     returning 1`,
    [toUuid(accountId), toUuid(listingId, "lst"), seen],
    "publication-settle",
  );
  return rows.length > 0;
}

/**
 * Notes that a listing is to be withdrawn. The account's clock must be held. The first reason stands.
 * @returns whether it was not to be before: then a job is to be made
 */
export async function wantWithdrawal(
  tx: Queryable,
  accountId: string,
  listingId: string,
  reason: ListingEndReason,
): Promise<boolean> {
  const place = [toUuid(accountId), toUuid(listingId, "lst")];
  await tx.query(adopted, place, "publication-adopt");
  const rows = await tx.query(
    `update listing_publication set withdraw_reason = $3
     where account_id = $1 and listing_id = $2 and withdraw_reason is null returning 1`,
    [...place, reason],
    "publication-withdraw",
  );
  return rows.length > 0;
}

/** The clock of publishing stood still while the account was suspended. Before it is restored. */
export async function shiftPublicationDeadlines(
  tx: Queryable,
  accountId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `update listing_publication p set deadline_at = p.deadline_at
       + ($2 - greatest(a.suspended_at, p.deadline_at - interval '24 hours'))
     from account a, listing l where a.id = $1 and a.suspended_at < $2 and p.account_id = a.id
       and l.id = p.listing_id and l.status = 'publishing'`,
    [toUuid(accountId), now],
    "publication-shift",
  );
}

/** Listings with work to do for which no job runs any more, as after one that was given up. */
export interface UntendedListing {
  accountId: string;
  listingId: string;
  kind: "publish_listing" | "revise_listing" | "withdraw_listing";
}

/**
 * @param before changed before then: what is being committed at this moment is not meant
 */
export async function listUntendedListings(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<UntendedListing[]> {
  const candidates = await db.query<UntendedListing>(
    `(select account_id as "accountId", id as "listingId", 'publish_listing' as kind from listing
       where status = 'publishing' and updated_at < $1 limit $2)
     union all (select l.account_id, l.id,
         case when p.withdraw_reason is null then 'revise_listing' else 'withdraw_listing' end
       from listing_publication p join listing l on l.id = p.listing_id
       where (p.wanted is not null or (p.withdraw_reason is not null and p.seen_ended_at is null))
         and (p.withdraw_reason is null or p.seen_ended_at is null)
         and l.status = 'live' and l.updated_at < $1 limit $2)`,
    [before, limit],
  );
  if (candidates.length === 0) return [];
  const found = candidates.map(({ accountId, listingId, kind }) => ({
    accountId: toId("acc", accountId),
    listingId: toId("lst", listingId),
    kind,
  }));
  const tended = await db.query<{ id: string; kind: string }>(
    `select subject_id as id, kind from job where status in ('queued', 'running', 'paused')
       and kind in ('publish_listing', 'revise_listing', 'withdraw_listing') and subject_id = any ($1)`,
    [found.map(({ listingId }) => listingId)],
  );
  const keys = new Set(tended.map(({ id, kind }) => `${kind} ${id}`));
  return found.filter(({ kind, listingId }) => !keys.has(`${kind} ${listingId}`));
}

/** The listings that a bulk job has begun to publish, by their cards. */
export async function readBulkListings(
  db: Queryable,
  accountId: string,
  bulkJobId: string,
  cardIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ card: string; listing: string }>(
    `select l.card_id as card, l.id as listing from listing_publication p join listing l on l.id = p.listing_id
     where p.account_id = $1 and p.bulk_job_id = $2 and l.card_id = any ($3::uuid[])`,
    [toUuid(accountId), toUuid(bulkJobId, "job"), cardIds.map((id) => toUuid(id, "card"))],
    "bulk-listings",
  );
  return new Map(rows.map(({ card, listing }) => [toId("card", card), toId("lst", listing)]));
}
