import type { EndpointTimelineEntry } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { decodeCursor, encodeCursor } from "../read/cursor.ts";
import type { Page, PageQuery } from "../read/events.ts";

interface EntryRow {
  id: string;
  kind: EndpointTimelineEntry["kind"];
  action: string;
  actor_kind: NonNullable<EndpointTimelineEntry["actor"]>["kind"] | null;
  actor_id: string | null;
  actor_name: string | null;
  details: Record<string, unknown>;
  created_at: Date;
}

const before = "and ($3::timestamptz is null or (c.created_at, c.id) < ($3, $4::uuid))";
const statement = `
select * from (
  (select c.id, 'change' as kind, c.action, c.actor_kind, c.actor_id, u.name as actor_name, c.details, c.created_at
   from trail_entry c left join auth."user" u on c.actor_kind = 'member' and u.id = c.actor_id
   where c.account_id = $1 and c.subject_id = $2 ${before}
   order by c.created_at desc, c.id desc limit $5)
  union all
  (select c.id, 'notice', c.kind, null, null, null,
     c.details || jsonb_build_object('message', c.message), c.created_at
   from notice c where c.account_id = $1 and c.endpoint_id = $2 ${before}
   order by c.created_at desc, c.id desc limit $5)
) c order by c.created_at desc, c.id desc limit $5`;

/**
 * One page of what happened to an endpoint: who changed it, and what the account was told of it.
 * @throws VaultError `invalid_cursor`
 */
export async function listEndpointTimeline(
  db: Queryable,
  accountId: string,
  endpointId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<EndpointTimelineEntry>> {
  const scope = ["timeline", accountId, endpointId];
  const position =
    cursor === undefined
      ? undefined
      : decodeCursor(scope, cursor, (value) => !Number.isNaN(Date.parse(String(value))));
  const found = await db.query<EntryRow>(
    statement,
    [
      toUuid(accountId),
      toUuid(endpointId),
      position?.value ?? null,
      position?.id ?? null,
      limit + 1,
    ],
    "endpoint_timeline",
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return {
    data: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      action: row.action,
      actor:
        row.actor_kind === null
          ? null
          : { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
      details: row.details,
      created_at: row.created_at.toISOString(),
    })),
    next_cursor: hasMore
      ? encodeCursor(scope, { value: last.created_at.toISOString(), id: last.id })
      : null,
    has_more: hasMore,
  };
}
