import { comparableName, readNumber } from "@cardvault/catalogue";
import { catalogueSearchAnswer, catalogueSearchInput } from "@cardvault/contract";
import type { CatalogueCardAnswer, CatalogueSearch } from "@cardvault/contract";
import { searchCatalogue as searchRows } from "@cardvault/db";
import type { CatalogueFinding, Database } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import { inventedSource } from "./catalogue-row.ts";

/** Beyond these a search means no more, and costs more. */
const mostWords = 8;
/** pg_trgm compares groups of three. */
const shortestWord = 3;

/**
 * Cards of the catalogue by words, which may be misspelt, and a number. What looks like a number, such
 * as `12/142` or `TG07`, has to be the card's number; where no card has it, it is searched as a word.
 */
async function searchCatalogue(
  { db }: { db: Pick<Database, "query"> },
  access: Pick<Access, "environment">,
  { q, game, limit }: CatalogueSearch,
): Promise<CatalogueCardAnswer[]> {
  const parts = q.split(/\s+/u).filter((part) => part !== "");
  const numberPart = parts.findLast((part) =>
    /^#?[a-z]{0,4}\d+[a-z]?(?:\/[a-z]{0,4}\d+)?$/iu.test(part),
  );
  const number = numberPart === undefined ? null : readNumber(numberPart);
  const wordsOf = (texts: readonly string[]): string[] =>
    comparableName(texts.join(" "))
      .split(" ")
      .filter((word) => word.length >= shortestWord)
      .slice(0, mostWords);
  const common = { ...scopeOf(access), game, limit };
  if (number !== null) {
    const words = wordsOf(parts.filter((part) => part !== numberPart));
    const found = await searchRows(db, { ...common, words, ...number });
    if (found.length > 0) return found.map(catalogueAnswer);
  }
  const words = wordsOf(parts);
  if (words.length === 0) return [];
  return (await searchRows(db, { ...common, words, number: null, total: null })).map(
    catalogueAnswer,
  );
}

/** Invented cards are for accounts whose whole world is simulated. */
export function scopeOf(access: Pick<Access, "environment">): { withoutSources: string[] } {
  return { withoutSources: access.environment === "test" ? [] : [inventedSource] };
}

function catalogueAnswer(card: CatalogueFinding): CatalogueCardAnswer {
  return {
    source: card.source,
    source_id: card.sourceId,
    game: card.game,
    set: card.set,
    set_code: card.setCode,
    number: card.setTotal === null ? card.number : `${card.number}/${card.setTotal}`,
    name: card.name,
    rarity: card.rarity,
    year: card.year,
    external_ids: card.externalIds,
    image_url: card.imageUrl,
    nearness: Math.min(1, Math.max(0, card.nearness)),
  };
}

export const searchCatalogueProcedure = session()
  .input(catalogueSearchInput)
  .output(catalogueSearchAnswer)
  .query(async ({ ctx: { services, access }, input }) => ({
    data: await searchCatalogue(services, access, input),
  }));
