import type { CatalogueScope } from "../catalogue/read-catalogue.ts";
import type { Queryable } from "../connection/database.ts";

/**
 * Whether the catalogue has a game, and a set, by code or name.
 * @param set in the form that is compared; empty where it is not known
 */
export async function knownToCatalogue(
  db: Queryable,
  { withoutSources = [], game }: CatalogueScope,
  { set, setCode }: { set: string; setCode: string | null },
): Promise<{ knowsGame: boolean; knowsSet: boolean }> {
  const [row] = await db.query<{ knowsGame: boolean; knowsSet: boolean }>(
    `select
       exists (select 1 from catalogue_card c
         where not (c.source = any ($1)) and lower(c.game) = lower($2)) as "knowsGame",
       exists (select 1 from catalogue_card c
         where not (c.source = any ($1)) and ($2 = '' or lower(c.game) = lower($2))
           and (($3 <> '' and c.compared_set = $3) or ($4 <> '' and lower(c.set_code) = lower($4))))
         as "knowsSet"`,
    [withoutSources, game ?? "", set, setCode ?? ""],
    "catalogue_knows",
  );
  return row ?? { knowsGame: false, knowsSet: false };
}
