import { cardFilterSchema, viewCreateInput } from "@cardvault/contract";
import type { CardFilter, InventoryView, ViewCreate } from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** Who looks at views: what they may change depends on it. */
export interface Viewer {
  userId: string;
  isOwner: boolean;
}

interface ViewRow {
  id: string;
  owner_id: string;
  owner_name: string | null;
  name: string;
  is_shared: boolean;
  filter: Record<string, unknown>;
  sort: string | null;
  columns: unknown;
  created_at: Date;
  updated_at: Date;
}

// `$1` is the account and `$2` the person in every statement here: other people's own views are not there.
const visible = `from inventory_view v left join auth."user" u on u.id = v.owner_id
  where v.account_id = $1 and (v.is_shared or v.owner_id = $2)`;
const columns = `v.id, v.owner_id, u.name as owner_name, v.name, v.is_shared, v.filter, v.sort, v.columns,
  v.created_at, v.updated_at`;

/** One's own views and those that are shared, by name. */
export async function listViews(
  db: Queryable,
  accountId: string,
  viewer: Viewer,
): Promise<InventoryView[]> {
  const rows = await db.query<ViewRow>(
    `select ${columns} ${visible} order by lower(v.name), v.id`,
    [toUuid(accountId), viewer.userId],
    "views",
  );
  return rows.map((row) => toView(row, viewer));
}

/** One of them; undefined where there is none that this person may see. */
export async function findView(
  db: Queryable,
  accountId: string,
  viewer: Viewer,
  id: string,
): Promise<InventoryView | undefined> {
  if (!isId("view", id)) return undefined;
  const [row] = await db.query<ViewRow>(
    `select ${columns} ${visible} and v.id = $3`,
    [toUuid(accountId), viewer.userId, toUuid(id)],
    "view",
  );
  return row === undefined ? undefined : toView(row, viewer);
}

/** How many views a person has in an account. */
export async function countViews(
  db: Queryable,
  accountId: string,
  userId: string,
): Promise<number> {
  const [row] = await db.query<{ views: number }>(
    "select count(*) as views from inventory_view where account_id = $1 and owner_id = $2",
    [toUuid(accountId), userId],
    "count_views",
  );
  return row?.views ?? 0;
}

/** @throws VaultError `conflict` where the person has one of that name */
export async function insertView(
  db: Queryable,
  accountId: string,
  view: ViewCreate & { id: string; ownerId: string; createdAt: Date },
): Promise<void> {
  await db.query(
    `insert into inventory_view (id, account_id, owner_id, name, is_shared, filter, sort, columns, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      toUuid(view.id),
      toUuid(accountId),
      view.ownerId,
      view.name,
      view.is_shared,
      JSON.stringify(view.filter),
      view.sort,
      JSON.stringify(view.columns),
      view.createdAt,
    ],
    "insert_view",
  );
}

/** Replaces what a view says. @throws VaultError `conflict` where its owner has another of that name */
export async function writeView(
  db: Queryable,
  accountId: string,
  id: string,
  view: ViewCreate,
  now: Date,
): Promise<void> {
  await db.query(
    `update inventory_view set name = $3, is_shared = $4, filter = $5, sort = $6, columns = $7, updated_at = $8
     where account_id = $1 and id = $2`,
    [
      toUuid(accountId),
      toUuid(id),
      view.name,
      view.is_shared,
      JSON.stringify(view.filter),
      view.sort,
      JSON.stringify(view.columns),
      now,
    ],
    "write_view",
  );
}

export async function deleteView(db: Queryable, accountId: string, id: string): Promise<void> {
  await db.query(
    "delete from inventory_view where account_id = $1 and id = $2",
    [toUuid(accountId), toUuid(id)],
    "delete_view",
  );
}

/** What today's schema still understands of a view that may have been saved long ago. */
function toView(row: ViewRow, { userId, isOwner }: Viewer): InventoryView {
  const { shape } = viewCreateInput;
  const { filter, dropped } = knownFilter(row.filter);
  const sort = shape.sort.safeParse(row.sort);
  const shown = shape.columns.safeParse(row.columns);
  const isOwn = row.owner_id === userId;
  return {
    id: toId("view", row.id),
    name: row.name,
    filter,
    sort: sort.success ? sort.data : null,
    columns: shown.success ? shown.data : [],
    is_shared: row.is_shared,
    owner: { id: row.owner_id, name: row.owner_name },
    can_change: isOwn || isOwner,
    dropped: [...dropped, ...(sort.success ? [] : ["sort"]), ...(shown.success ? [] : ["columns"])],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function knownFilter(stored: Record<string, unknown>): { filter: CardFilter; dropped: string[] } {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(stored)) {
    if (cardFilterSchema.safeParse({ [name]: value }).success) kept[name] = value;
    else dropped.push(name);
  }
  return { filter: cardFilterSchema.parse(kept), dropped };
}
