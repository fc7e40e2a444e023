import { defaultSort, VaultError, workflowStatuses } from "@cardvault/contract";
import type {
  Batch,
  BatchesFound,
  BatchFind,
  BatchList,
  BatchListQuery,
  BatchStatus,
  WorkflowStatus,
} from "@cardvault/contract";
import type { BatchDefaults } from "@cardvault/domain";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { readPage } from "./keyset.ts";
import type { KeysetList } from "./keyset.ts";
import { beginList, listAnswer, scopeOf } from "./list-answer.ts";
import { StatementParts } from "./statement.ts";

type StoredCounts = Partial<Record<WorkflowStatus, number>>;

export interface BatchRow extends Omit<
  Batch,
  | "defaults"
  | "cost_basis"
  | "card_count"
  | "counts"
  | "acquired_at"
  | "completed_at"
  | "created_at"
  | "updated_at"
> {
  defaults: Partial<BatchDefaults>;
  cost_basis: number | null;
  currency: string;
  counts: StoredCounts | null;
  acquired_at: Date | null;
  completed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

// `$1` is the account in every statement here.
export const batchProjection = `
  c.code, c.name, c.status, c.source, c.description, c.defaults, c.cost_basis, c.acquired_at,
  c.completed_at, c.created_at, c.updated_at,
  (select a.currency from account a where a.id = $1) as currency,
  (select json_object_agg(k.workflow_status, k.cards) from card_count k
    where k.account_id = $1 and k.batch_id = c.id) as counts`;

export function toBatch(row: BatchRow): Batch {
  const { defaults } = row;
  const counts = wholeCounts(row.counts);
  return {
    id: toId("batch", row.id),
    code: row.code,
    name: row.name,
    status: row.status,
    source: row.source,
    description: row.description,
    defaults: {
      set: defaults.set ?? null,
      game: defaults.game ?? null,
      condition: defaults.condition ?? null,
      language: defaults.language ?? null,
      location: defaults.location ?? null,
      price_floor: defaults.priceFloor ?? null,
    },
    cost_basis: row.cost_basis === null ? null : { amount: row.cost_basis, currency: row.currency },
    acquired_at: row.acquired_at?.toISOString() ?? null,
    card_count: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    completed_at: row.completed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A number for every workflow status. */
function wholeCounts(stored: StoredCounts | null): Record<WorkflowStatus, number> {
  return Object.fromEntries(
    workflowStatuses.map((status) => [status, stored?.[status] ?? 0]),
  ) as Record<WorkflowStatus, number>;
}

const batchList: KeysetList = {
  name: "batches",
  table: "batch",
  projection: batchProjection,
  sorts: {
    created_at: { column: "created_at", type: "timestamptz" },
    updated_at: { column: "updated_at", type: "timestamptz" },
    name: { column: "name", type: "text" },
  },
};

/**
 * One page of an account's batches with their counts, one statement.
 * @throws VaultError `invalid_cursor`
 */
export async function listBatches(
  db: Queryable,
  accountId: string,
  query: BatchListQuery,
): Promise<BatchList> {
  const { limit, cursor, sort, ...filters } = query;
  const parts = beginList(accountId, filters);
  parts.whereOneOf("c.status", filters.status, "text");
  const order = filters.updated_since === undefined ? (sort ?? defaultSort) : "updated_at";
  const page = await readPage<BatchRow>(
    db,
    batchList,
    { accountId, sort: order, limit, cursor, scope: scopeOf(filters) },
    parts,
  );
  return listAnswer(page, toBatch, filters.updated_since);
}

/**
 * One batch.
 * @throws VaultError `batch_not_found`, for a malformed id too
 */
export async function getBatch(db: Queryable, accountId: string, id: string): Promise<Batch> {
  const [row] = isId("batch", id)
    ? await db.query<BatchRow>(
        `select c.id, ${batchProjection} from batch c where c.account_id = $1 and c.id = $2`,
        [toUuid(accountId), toUuid(id)],
        "batch",
      )
    : [];
  if (row === undefined) throw new VaultError("batch_not_found");
  return toBatch(row);
}

/** Batches whose code or name contains a text: those that begin so first, then the newest. */
export async function findBatches(
  db: Queryable,
  accountId: string,
  { text, status, limit }: BatchFind,
): Promise<BatchesFound> {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  parts.whereOneOf("c.status", status, "text");
  const word = parts.bind(text.trim().toLowerCase(), "text");
  parts.where(`strpos(lower(c.code || ' ' || c.name), ${word}) > 0`);
  const rows = await db.query<{
    id: string;
    code: string;
    name: string;
    status: BatchStatus;
    count: number;
  }>(
    `select c.id, c.code, c.name, c.status, count(*) over () as count
     from batch c where ${parts.conditions.join(" and ")}
     order by not starts_with(lower(c.code), ${word}) and not starts_with(lower(c.name), ${word}),
       c.created_at desc, c.id desc limit ${limit}`,
    parts.values,
  );
  return {
    data: rows.map(({ id, code, name, status: state }) => ({
      id: toId("batch", id),
      code,
      name,
      status: state,
    })),
    count: rows[0]?.count ?? 0,
  };
}

/** The newest batches that are not complete, each with its counts. */
export async function listOpenBatches(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<Batch[]> {
  const rows = await db.query<BatchRow>(
    `select c.id, ${batchProjection} from batch c where c.account_id = $1 and c.status <> 'complete'
     order by c.created_at desc, c.id desc limit $2`,
    [toUuid(accountId), limit],
    "open_batches",
  );
  return rows.map(toBatch);
}
