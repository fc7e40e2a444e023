import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** What a job does to one card: the body of a PATCH, as it was given. */
export interface JobPatch {
  cardId: string;
  patch: unknown;
  /** The card's version that the patch was made for; null for any. */
  ifVersion: number | null;
}

/**
 * Writes the patches of a job's own cards down, with the job.
 * @returns the cards that are none of the job's: unknown, or of another account
 */
export async function insertJobPatches(
  tx: Queryable,
  jobId: string,
  patches: readonly JobPatch[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `with given as materialized (
       select * from unnest($2::uuid[], $3::text[], $4::int[]) as g (card_id, patch, if_version)
     ), written as (
       insert into job_patch (job_id, card_id, patch, if_version)
       select i.job_id, g.card_id, g.patch::jsonb, g.if_version
       from given g join job_item i on i.job_id = $1 and i.card_id = g.card_id returning card_id
     )
     select card_id as id from given where card_id not in (select card_id from written)`,
    [
      toUuid(jobId, "job"),
      patches.map(({ cardId }) => toUuid(cardId, "card")),
      patches.map(({ patch }) => JSON.stringify(patch)),
      patches.map(({ ifVersion }) => ifVersion),
    ],
    "job-patches-insert",
  );
  return rows.map(({ id }) => toId("card", id));
}

/** The patches of these cards, by card. */
export async function readJobPatches(
  db: Queryable,
  jobId: string,
  cardIds: readonly string[],
): Promise<Map<string, JobPatch>> {
  const rows = await db.query<{ id: string; patch: unknown; ifVersion: number | null }>(
    `select card_id as id, patch, if_version as "ifVersion" from job_patch
     where job_id = $1 and card_id = any ($2::uuid[])`,
    [toUuid(jobId, "job"), cardIds.map((id) => toUuid(id, "card"))],
    "job-patches-read",
  );
  return new Map(
    rows.map(({ id, patch, ifVersion }) => {
      const cardId = toId("card", id);
      return [cardId, { cardId, patch, ifVersion }];
    }),
  );
}
