import type { Queryable } from "../connection/database.ts";
import { skuPrefix } from "./card-filters.ts";
import type { StatementParts } from "./statement.ts";

/** What a search means to an account's cards. */
export interface Search {
  /** As it was typed, without blanks around. */
  text: string;
  /** The words, in PostgreSQL's own form of a query; empty where there is none. */
  words: string;
}

/** Looks the words of a search up. */
export async function readSearch(db: Queryable, _accountId: string, text: string): Promise<Search> {
  const [row] = await db.query<{ words: string }>(
    `select plainto_tsquery('simple', regexp_replace(lower($1::text), '[^[:alnum:]]+', ' ', 'g'))::text as words`,
    [text],
    "search_words",
  );
  return { text: text.trim(), words: row?.words ?? "" };
}

/** The condition that a card is meant by a search. */
export function addSearch(parts: StatementParts, { text, words }: Search): void {
  const either = [skuPrefix(parts, text), `c.cert_number = ${parts.bind(text, "text")}`];
  if (words !== "") either.unshift(`c.search @@ ${parts.bind(words, "text")}::tsquery`);
  parts.where(`(${either.join(" or ")})`);
}
