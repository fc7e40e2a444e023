import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** What a card of an account can be recognised by. Every list is of one length, with nulls. */
export interface CardMarks {
  cardId: string | null;
  sku: string | null;
  cert: { grader: string; certNumber: string } | null;
  externalIds: Record<string, string> | null;
  /** Texts in the order of the identity's columns, null where the card has none. */
  identity: CardIdentity | null;
}

export interface CardIdentity {
  title: string;
  set: string | null;
  number: string | null;
  variant: string | null;
  language: string | null;
  condition: string | null;
  grader: string | null;
  grade: string | null;
}

/** The card that each mark names, if any. Archived cards are never meant by anything but their id. */
export interface CardMatch {
  cardId?: string;
  sku?: string;
  cert?: string;
  externalId?: string;
  identity?: string;
}

interface MatchRow {
  place: number;
  id: string;
}

/** Looks the marks of many rows up in an account's inventory, one statement for each kind of mark. */
export async function matchCards(
  db: Queryable,
  accountId: string,
  marks: readonly CardMarks[],
): Promise<CardMatch[]> {
  const found: CardMatch[] = marks.map(() => ({}));
  const account = toUuid(accountId);
  const search = async (
    kind: keyof CardMatch,
    wanted: readonly (readonly [place: number, ...values: unknown[]])[],
    types: readonly string[],
    condition: string,
  ): Promise<void> => {
    if (wanted.length === 0) return;
    const columns = ["int", ...types].map((type, index) => `$${index + 2}::${type}[]`);
    const names = ["place", ...types.map((_, index) => `v${index}`)];
    const rows = await db.query<MatchRow>(
      `select n.place, m.id from unnest(${columns.join(", ")}) as n (${names.join(", ")})
       cross join lateral (select c.id from card c where c.account_id = $1 and ${condition}
         order by c.id limit 1) m`,
      [account, ...["place", ...types].map((_, index) => wanted.map((values) => values[index]))],
      `import-match-${kind}`,
    );
    for (const { place, id } of rows) {
      const match = found[place];
      if (match !== undefined) match[kind] = toId("card", id);
    }
  };
  const places = <Value>(
    pick: (mark: CardMarks) => Value | null,
    values: (value: Value) => unknown[],
  ): [number, ...unknown[]][] =>
    marks.flatMap((mark, place): [number, ...unknown[]][] => {
      const value = pick(mark);
      return value === null ? [] : [[place, ...values(value)]];
    });

  await search(
    "cardId",
    places(
      ({ cardId }) => (cardId !== null && isId("card", cardId) ? cardId : null),
      (id) => [toUuid(id)],
    ),
    ["uuid"],
    "c.id = n.v0",
  );
  await search(
    "sku",
    places(
      ({ sku }) => sku,
      (sku) => [sku],
    ),
    ["text"],
    "c.sku = n.v0",
  );
  await search(
    "cert",
    places(
      ({ cert }) => cert,
      ({ grader, certNumber }) => [grader, certNumber],
    ),
    ["text", "text"],
    "c.grader = n.v0 and c.cert_number = n.v1 and c.workflow_status <> 'archived'",
  );
  await search(
    "externalId",
    places(
      ({ externalIds }) => externalIds,
      (ids) => [JSON.stringify(ids)],
    ),
    ["jsonb"],
    "c.external_ids @> n.v0 and c.external_ids <> '{}'::jsonb and c.workflow_status <> 'archived'",
  );
  await search(
    "identity",
    places(
      ({ identity }) => identity,
      (one) => [
        one.title,
        one.set,
        one.number,
        one.variant,
        one.language,
        one.condition,
        one.grader,
        one.grade,
      ],
    ),
    ["text", "text", "text", "text", "text", "text", "text", "text"],
    `c.title = n.v0 and c.set_name is not distinct from n.v1 and c.number is not distinct from n.v2
       and c.variant is not distinct from n.v3 and c.language is not distinct from n.v4
       and c.condition is not distinct from n.v5 and c.grader is not distinct from n.v6
       and c.grade is not distinct from n.v7 and c.cert_number is null and c.workflow_status <> 'archived'`,
  );
  return found;
}
