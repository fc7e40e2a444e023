import { toUuid } from "@cardvault/kit";
import type { KeysetPage } from "./keyset.ts";
import { StatementParts } from "./statement.ts";

export interface ListAnswer<Answer> {
  data: Answer[];
  next_cursor: string | null;
  has_more: boolean;
  next_updated_since?: string | undefined;
}

/**
 * A page in the contract's form. The last page of a poll says where the next poll begins: at its
 * last row, or, without one, where this poll began.
 */
export function listAnswer<Row, Answer extends { updated_at: string }>(
  page: KeysetPage<Row>,
  toAnswer: (row: Row) => Answer,
  updatedSince: string | undefined,
): ListAnswer<Answer> {
  const data = page.rows.map(toAnswer);
  const answer = { data, next_cursor: page.next_cursor, has_more: page.has_more };
  if (updatedSince === undefined || page.has_more) return answer;
  return { ...answer, next_updated_since: data.at(-1)?.updated_at ?? updatedSince };
}

/** What every list of an account's is read by: the account, and since when, oldest change first. */
export function beginList(
  accountId: string,
  { updated_since: since }: { updated_since?: string | undefined },
): StatementParts {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  if (since !== undefined) parts.where(`c.updated_at >= ${parts.bind(since, "timestamptz")}`);
  return parts;
}

/** The same filters give the same scope, in whatever order they and their values stand. */
export function scopeOf(filters: Record<string, unknown>): unknown[] {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [
      name,
      Array.isArray(value) ? [...new Set(value as string[])].sort(byText) : value,
    ])
    .sort(([left], [right]) => byText(String(left), String(right)));
}

function byText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
