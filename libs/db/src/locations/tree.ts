import type {
  LocationNode,
  LocationSuggestions,
  LocationTree,
  LocationTreeInput,
} from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Database, Queryable } from "../connection/database.ts";
import { isTypoOf } from "../read/typos.ts";
import { endOf, readForm } from "./form.ts";
import { findPlaces } from "./places.ts";

interface Sums {
  cards: number;
  present: number;
  copies: number;
  asking: number;
  cost: number;
}

interface NodeRow extends Sums {
  name: string;
  own_cards: number;
  has_children: boolean;
  all_cards: number;
  all_present: number;
  all_copies: number;
  all_asking: number;
  all_cost: number;
  present_of_account: number;
}

const presentOfAccount = `(select coalesce(sum(c.cards), 0) from card_count c
  where c.account_id = $1 and c.workflow_status not in ('sold', 'archived'))`;

const noSums: Sums = { cards: 0, present: 0, copies: 0, asking: 0, cost: 0 };

/**
 * One level of the places that an account's cards, or people, name. Read from the sums that the database
 * keeps for each location, so it costs by places and not by cards.
 * @throws VaultError `not_found` for an unknown account
 */
export async function readLocationTree(
  db: Queryable,
  accountId: string,
  { under, limit }: LocationTreeInput,
): Promise<LocationTree> {
  const { currency, separator } = await readForm(db, accountId);
  const prefix = under === undefined ? "" : under + separator;
  const rows = await db.query<NodeRow>(
    `with level as (
       select substr(t.location, length($2::text) + 1) as rest, t.cards, t.present, t.copies, t.asking, t.cost
       from location_total t where t.account_id = $1 and t.location >= $2 and t.location < $3 and t.cards > 0
       union all
       select substr(k.path, length($2::text) + 1), 0, 0, 0, 0, 0
       from known_place k where k.account_id = $1 and k.path >= $2 and k.path < $3
     ), node as (
       select split_part(rest, $4, 1) as name, sum(cards) as cards, sum(present) as present,
         sum(copies) as copies, sum(asking) as asking, sum(cost) as cost,
         coalesce(sum(cards) filter (where strpos(rest, $4) = 0), 0) as own_cards,
         bool_or(strpos(rest, $4) > 0) as has_children
       from level group by 1
     )
     select *, sum(cards) over () as all_cards, sum(present) over () as all_present,
       sum(copies) over () as all_copies, sum(asking) over () as all_asking, sum(cost) over () as all_cost,
       ${presentOfAccount} as present_of_account
     from node order by natural_order(name), name limit $5`,
    [toUuid(accountId), prefix, endOf(prefix), separator, limit + 1],
    "location_tree",
  );
  const shown = rows.slice(0, limit);
  const places = await findPlaces(
    db,
    accountId,
    shown.map(({ name }) => prefix + name),
  );
  const [first] = rows;
  const sums: Sums =
    first === undefined
      ? noSums
      : {
          cards: first.all_cards,
          present: first.all_present,
          copies: first.all_copies,
          asking: first.all_asking,
          cost: first.all_cost,
        };
  // Both counts are of one moment: cards that are moved meanwhile would make the difference negative.
  const present = first?.present_of_account ?? (await countPresent(db, accountId));
  return {
    separator,
    nodes: shown.map((row): LocationNode => {
      const path = prefix + row.name;
      const { name, own_cards, has_children } = row;
      return {
        path,
        name,
        own_cards,
        has_children,
        place: places.get(path) ?? null,
        ...sumsAnswer(row, currency),
      };
    }),
    has_more: rows.length > limit,
    totals: sumsAnswer(sums, currency),
    without_location: under === undefined ? present - sums.present : null,
  };
}

interface FoundPlace {
  path: string;
  present: number;
}

/**
 * Places that begin with a text, the fullest first, then those that contain it or are spelt like it.
 * Upper and lower case make no difference to the latter.
 */
export async function suggestLocations(
  db: Pick<Database, "query" | "transaction">,
  accountId: string,
  { text, limit }: { text: string; limit: number },
): Promise<LocationSuggestions> {
  const account = toUuid(accountId);
  const begins = await db.query<FoundPlace>(
    `select location as path, present from location_total
     where account_id = $1 and location >= $2 and location < $3 and cards > 0
     order by present desc, location limit $4`,
    [account, text, endOf(text), limit],
    "location_prefix",
  );
  const left = limit - begins.length;
  const similar =
    left === 0 || text.trim() === ""
      ? []
      : await db.query<FoundPlace>(
          `select location as path, present from location_total
           where account_id = $1 and cards > 0 and (location % $2::text or $2 <% location or location ilike $3)
             and not (location >= $2 and location < $4)
           order by (location ilike $3) desc,
             greatest(similarity($2, location), word_similarity($2, location)) desc, present desc, location
           limit $5`,
          [account, text, `%${text.replace(/[\\%_]/g, "\\$&")}%`, endOf(text), left],
        );
  const known = [...begins, ...similar];
  const slips = known.length === limit ? [] : await placesWithSlip(db, account, text, known, limit);
  return {
    data: [
      ...begins.map((row) => ({ ...row, match: "prefix" as const })),
      ...[...similar, ...slips].map((row) => ({ ...row, match: "similar" as const })),
    ],
  };
}

/** A slip leaves a word of three letters one trigram of four, and one of six letters three of seven. */
const slipSimilarity = 0.2;
/** How many of the places that share the most trigrams are looked at. */
const mostLike = 200;

/** Places of the words that were typed, one slip in a short one: it is too unlike for trigrams alone. */
async function placesWithSlip(
  db: Pick<Database, "query" | "transaction">,
  account: string,
  text: string,
  known: readonly FoundPlace[],
  limit: number,
): Promise<FoundPlace[]> {
  const typed = wordsOf(text);
  if (!typed.some((word) => isTypoOf(word, word, true))) return [];
  const like = await db.transaction(async (tx) => {
    await tx.query("select set_config('pg_trgm.word_similarity_threshold', $1, true)", [
      String(slipSimilarity),
    ]);
    return tx.query<FoundPlace>(
      `select location as path, present from location_total
       where account_id = $1 and cards > 0 and $2 <% location and location <> all ($3)
       order by word_similarity($2, location) desc, present desc, location limit ${mostLike}`,
      [account, text, known.map(({ path }) => path)],
    );
  });
  return like.filter(({ path }) => isMeant(typed, wordsOf(path))).slice(0, limit - known.length);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The last word may be unfinished. */
function isMeant(typed: readonly string[], words: readonly string[]): boolean {
  return typed.every((one, index) => {
    const isLast = index === typed.length - 1;
    return words.some(
      (word) => word === one || (isLast && word.startsWith(one)) || isTypoOf(one, word, isLast),
    );
  });
}

async function countPresent(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.query<{ cards: number }>(
    `select ${presentOfAccount} as cards`,
    [toUuid(accountId)],
    "count_present",
  );
  return row?.cards ?? 0;
}

function sumsAnswer({ cards, present, copies, asking, cost }: Sums, currency: string) {
  return {
    cards,
    present,
    copies,
    asking_value: { amount: asking, currency },
    cost: { amount: cost, currency },
  };
}
