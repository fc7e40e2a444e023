import { setTimeout as pause } from "node:timers/promises";
import type { CallOptions, Query, Send } from "./request.ts";

/** A page as the service answers it. */
export interface Page<Row> {
  readonly data: readonly Row[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
  readonly has_more: boolean;
  /** On the last page of a poll: where the next one begins. */
  readonly next_updated_since?: string | undefined;
}

/** What has changed, and where to go on once it is dealt with. */
export interface Changes<Row> {
  /** In the order of their change. */
  readonly data: readonly Row[];
  /**
   * Store it after you have dealt with `data`, and give it as `since` when you begin again: nothing is
   * lost then, and what you had dealt with since the last checkpoint may come once more.
   */
  readonly checkpoint: string;
}

export interface ChangesOptions extends CallOptions {
  /** RFC 3339 with an offset: a checkpoint, or the moment of your last full read. */
  readonly since: string;
  /** Between two polls that found nothing new, in milliseconds. Default: 10,000; a key has 60 reads a minute. */
  readonly intervalMs?: number | undefined;
}

export interface ListOf<Row, Filter> {
  /** One page. */
  list(query?: Filter, options?: CallOptions): Promise<Page<Row>>;
  /** Every row, page after page. */
  each(query?: Filter, options?: CallOptions): AsyncGenerator<Row, void, void>;
}

export interface PolledListOf<Row, Filter> extends ListOf<Row, Filter> {
  /**
   * Every change from `since` on, without end: waits for more where there is none. Rows that the
   * inclusive `updated_since` repeats are left out.
   */
  changes(
    options: ChangesOptions,
    filter?: Omit<Filter, "sort" | "cursor" | "updated_since">,
  ): AsyncGenerator<Changes<Row>, void, void>;
}

interface Stamped {
  readonly id: string;
  readonly updated_at: string;
}

export function listOf<Row, Filter extends object>(send: Send, path: string): ListOf<Row, Filter> {
  const list = async (query?: Filter, options?: CallOptions): Promise<Page<Row>> => {
    const { body } = await send({ method: "GET", path, query: query as Query, options });
    return body as Page<Row>;
  };
  return {
    list,
    async *each(query, options) {
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Page<Row> = await list(
          { ...query, ...(cursor === undefined ? {} : { cursor }) } as Filter,
          options,
        );
        yield* page.data;
        cursor = page.next_cursor;
      }
    },
  };
}

export function polledListOf<Row extends Stamped, Filter extends object>(
  send: Send,
  path: string,
): PolledListOf<Row, Filter> {
  const list = listOf<Row, Filter>(send, path);
  return {
    ...list,
    async *changes({ since, intervalMs = 10_000, signal }, filter) {
      let from = since;
      /** Rows that stand at `from` and were given already: the next poll begins with them again. */
      let given = new Set<string>();
      for (;;) {
        const poll = { ...filter, updated_since: from, limit: 200 };
        let cursor: string | null | undefined;
        let isNew = false;
        while (cursor !== null) {
          const page: Page<Row> = await list.list(
            { ...poll, ...(cursor === undefined ? {} : { cursor }) } as unknown as Filter,
            { signal },
          );
          const data = page.data.filter((row) => !given.has(keyOf(row)));
          const last = page.data.at(-1);
          const next = page.next_updated_since ?? last?.updated_at ?? from;
          if (next !== from) given = new Set();
          from = next;
          for (const row of page.data) if (row.updated_at === from) given.add(keyOf(row));
          if (data.length > 0) {
            isNew = true;
            yield { data, checkpoint: from };
          }
          cursor = page.next_cursor;
        }
        if (!isNew) await pause(intervalMs, undefined, { signal });
      }
    },
  };
}

/** A row changes no more often than its stamp: within an account none is given twice. */
function keyOf({ id, updated_at: updatedAt }: Stamped): string {
  return `${id} ${updatedAt}`;
}
