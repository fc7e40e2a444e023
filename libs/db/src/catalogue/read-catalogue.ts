import type { Queryable } from "../connection/database.ts";

/** A card of the catalogue, and how near it is to what was asked. */
export interface CatalogueFinding {
  source: string;
  /** With the source: which card of the catalogue. */
  sourceId: string;
  game: string;
  set: string;
  setCode: string | null;
  number: string;
  setTotal: number | null;
  name: string;
  rarity: string | null;
  year: number | null;
  externalIds: Record<string, string>;
  imageUrl: string | null;
  comparedName: string;
  comparedNumber: string;
  comparedSet: string;
  /** 0 to 1. */
  nearness: number;
}

const columns = `c.source, c.source_id as "sourceId", c.game, c.set_name as set, c.set_code as "setCode", c.number,
  c.set_total as "setTotal", c.name, c.rarity, c.year, c.external_ids as "externalIds",
  c.image_url as "imageUrl", c.compared_name as "comparedName", c.compared_number as "comparedNumber",
  c.compared_set as "comparedSet"`;

/** Which lists are looked into: a live account does not meet invented cards. */
export interface CatalogueScope {
  withoutSources?: readonly string[] | undefined;
  game?: string | undefined;
}

export interface CatalogueWords extends CatalogueScope {
  /** In the form that is compared, each at least three characters. */
  words: readonly string[];
  /** In the form that is compared. */
  number: string | null;
  total: number | null;
  limit: number;
}

const scopeCondition = `not (c.source = any($1)) and ($2::text is null or lower(c.game) = lower($2))`;
const scopeValues = ({ withoutSources = [], game }: CatalogueScope) => [
  withoutSources,
  game ?? null,
];

/**
 * Cards by words, which may be misspelt, and a number: the nearest first. More than half of the words
 * must be like a word of the card, its set or its set's code.
 */
export async function searchCatalogue(
  db: Queryable,
  query: CatalogueWords,
): Promise<CatalogueFinding[]> {
  const values = [...scopeValues(query), query.number, query.total, query.limit, ...query.words];
  const places = query.words.map((_, index) => `$${index + 6}::text`);
  const isLike = places.map((place) => `c.words %> ${place}`);
  const likeness = places.map((place) => `word_similarity(${place}, c.words)`).join(" + ");
  const wordsFit =
    places.length === 0
      ? "true"
      : `(${isLike.join(" or ")}) and (${isLike.map((it) => `(${it})::int`).join(" + ")}) * 2 > ${places.length}`;
  const nearness = places.length === 0 ? "1.0" : `(${likeness}) / ${places.length}`;
  return db.query<CatalogueFinding>(
    `select ${columns}, (${nearness}) as nearness from catalogue_card c
       where ${scopeCondition} and ${wordsFit}
         and ($3::text is null or c.compared_number = $3)
         and ($4::int is null or c.set_total = $4 or c.set_total is null)
       order by nearness desc, c.year desc nulls last, c.compared_set, length(c.compared_number), c.compared_number, c.id
       limit $5`,
    values,
  );
}

export interface CataloguePlace extends CatalogueScope {
  /** In the form that is compared. */
  name: string;
  number: string;
  limit: number;
}

/** All cards with this number, the most alike name first. */
export async function findCatalogueByNumber(
  db: Queryable,
  query: CataloguePlace,
): Promise<CatalogueFinding[]> {
  return db.query<CatalogueFinding>(
    `select ${columns}, similarity(c.compared_name, $3) as nearness from catalogue_card c
       where ${scopeCondition} and c.compared_number = $4
       order by nearness desc, c.id limit $5`,
    [...scopeValues(query), query.name, query.number, query.limit],
    "catalogue_by_number",
  );
}

/** How many cards each list has brought. */
export function countCatalogue(
  db: Queryable,
): Promise<{ source: string; game: string; cards: number; importedAt: Date }[]> {
  return db.query(
    `select source, game, count(*)::int as cards, max(imported_at) as "importedAt"
     from catalogue_card group by source, game order by source, game`,
  );
}
