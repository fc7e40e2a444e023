import { trailAnswer, trailInput, VaultError } from "@cardvault/contract";
import type { TrailInput } from "@cardvault/contract";
import { countTrail, listTrail } from "@cardvault/db";
import type { Queryable, TrailRow } from "@cardvault/db";
import { withTotal } from "../lists.ts";
import { session } from "../procedures.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * A page of the account's trail. The cursor is the id of the last entry of the page before.
 * @throws VaultError `invalid_cursor`
 */
async function readTrail(
  db: Queryable,
  accountId: string,
  { limit, cursor, ...filters }: TrailInput,
) {
  if (cursor !== undefined && !uuid.test(cursor)) throw new VaultError("invalid_cursor");
  const rows = await listTrail(db, accountId, {
    ...filters,
    before: cursor ?? null,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    data: page.map(entryFrom),
    next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null,
    has_more: hasMore,
  };
}

function entryFrom(row: TrailRow) {
  return {
    id: row.id,
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    action: row.action,
    details: row.details,
    created_at: row.createdAt.toISOString(),
  };
}

export const listTrailProcedure = session("owner")
  .input(trailInput)
  .output(trailAnswer)
  .query(({ ctx: { services, access }, input }) =>
    withTotal(input, readTrail(services.db, access.accountId, input), () =>
      countTrail(services.db, access.accountId, input),
    ),
  );
