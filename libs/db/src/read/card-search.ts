import type { Queryable } from "../connection/database.ts";
import { toUuid } from "@cardvault/kit";
import { skuPrefix } from "./card-filters.ts";
import { afterPrefix } from "./statement.ts";
import type { StatementParts } from "./statement.ts";
import { isTypoOf, swapsOf } from "./typos.ts";

/** What a search means to an account's cards at this moment. */
export interface Search {
  /** As it was typed, without blanks around. */
  text: string;
  /** A card has to match it; in PostgreSQL's own form, and empty where no card can. */
  query: string;
  /** The same, of the words as they were typed: what matches it comes before what only resembles it. */
  typed: string;
}

interface WordRow {
  word: string;
  is_known: boolean;
  /** Words of the account that begin so, of the last word only; at most one more than are listed. */
  longer: string[] | null;
}

/** A last word with more continuations than this is left to the index, which finds any beginning. */
const mostContinuations = 100;
/** How many of the words that share the most trigrams are looked at, and how many of them searched for. */
const mostLike = 40;
const mostTypos = 6;

// The words are cut as the column `search` cuts them. A word is known where a card has it.
const wordStatement = `
with w as (
  select t.word collate "C" as word, t.n, t.n = count(*) over () as is_last
  from regexp_split_to_table(trim(regexp_replace(lower($2::text), '[^[:alnum:]]+', ' ', 'g')), ' ') with ordinality as t (word, n)
  where t.word <> '' order by t.n limit 20
)
select w.word,
  exists (select 1 from card_word k where k.account_id = $1 and k.word = w.word and k.cards > 0) as is_known,
  case when w.is_last and $3::boolean then array(select k.word from card_word k
    where k.account_id = $1 and k.word >= w.word and k.word < $4::text and k.cards > 0 limit ${mostContinuations + 1})
  end as longer
from w order by w.n`;

const likeStatement = `
select k.word from card_word k where k.account_id = $1 and (k.word % $2 or k.word = any ($3)) and k.cards > 0
order by similarity(k.word, $2) desc, k.cards desc, k.word limit ${mostLike}`;

/**
 * Looks the words of a search up among the account's own, which is what keeps it fast: an index of a few
 * ten thousand words instead of the trigrams of a million titles. The last word may be unfinished, unless
 * a blank stands behind it. A word that no card has stands for those most like it.
 */
export async function readSearch(db: Queryable, accountId: string, given: string): Promise<Search> {
  const text = given.trim();
  const account = toUuid(accountId);
  const isOpen = !/\s$/u.test(given);
  const last =
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .at(-1) ?? "";
  const words = await db.query<WordRow>(
    wordStatement,
    [account, text, isOpen && last !== "", afterPrefix(last) ?? last],
    "search_words",
  );
  const needed: string[] = [];
  for (const { word, is_known: isKnown, longer } of words) {
    if (longer !== null && longer.length > mostContinuations) {
      needed.push(`${quoted(word)}:*`);
    } else if (isKnown || (longer !== null && longer.length > 0)) {
      needed.push(eitherOf(longer ?? [word]));
    } else {
      const like = await typosOf(db, account, word, longer !== null);
      if (like.length === 0) return { text, query: "", typed: "" };
      needed.push(eitherOf(like));
    }
  }
  return {
    text,
    query: needed.join(" & "),
    typed: words.map(({ word }) => quoted(word)).join(" & "),
  };
}

async function typosOf(
  db: Queryable,
  account: string,
  word: string,
  isUnfinished: boolean,
): Promise<string[]> {
  // Two letters in each other's place leave a short word few trigrams of its own.
  const rows = await db.query<{ word: string }>(likeStatement, [account, word, swapsOf(word)]);
  return rows
    .map((row) => row.word)
    .filter((known) => isTypoOf(word, known, isUnfinished))
    .slice(0, mostTypos);
}

/** The condition that a card is meant by a search. */
export function addSearch(parts: StatementParts, { text, query }: Search): void {
  const either = [skuPrefix(parts, text), `c.cert_number = ${parts.bind(text, "text")}`];
  if (query !== "") either.unshift(`c.search @@ ${parts.bind(query, "text")}::tsquery`);
  parts.where(`(${either.join(" or ")})`);
}

/** The condition that a card's own SKU or certificate number was typed. */
export function addExact(parts: StatementParts, { text }: Search): void {
  const sku = `lower(c.sku) = ${parts.bind(text.toLowerCase(), "text")}`;
  parts.where(`(${sku} or c.cert_number = ${parts.bind(text, "text")})`);
}

/** How near a card is to what was typed, 0 the nearest. */
export function rankOf(parts: StatementParts, { text, typed }: Search): string {
  const whole = parts.bind(text.toLowerCase(), "text");
  const pieces = parts.bind(text.toLowerCase().split(/\s+/u), "text[]");
  const asTyped =
    typed === "" ? "" : ` when c.search @@ ${parts.bind(typed, "text")}::tsquery then 3`;
  return (
    `case when lower(c.sku) = ${whole} or c.cert_number = ${parts.bind(text, "text")} then 0 ` +
    `when lower(c.number) = any (${pieces}) then 1 when lower(c.title) = ${whole} then 2${asTyped} else 4 end`
  );
}

function eitherOf(words: readonly string[]): string {
  return `(${words.map(quoted).join(" | ")})`;
}

/** A word of letters and digits needs no more, but it is cheap to be sure. */
function quoted(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
