import { comparableName } from "@cardvault/catalogue";
import { knownToCatalogue } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { numberParts } from "@cardvault/domain";
import type { CatalogueAnswer, KnownFields } from "@cardvault/domain";
import { matchCatalogue } from "../catalogue/match-catalogue.ts";
import { scopeOf } from "../catalogue/search-catalogue.ts";
import type { Access } from "../context.ts";

/**
 * What the catalogue says of a candidate; null where it has no name or no number to look up.
 * @param game of the request: the candidate's own where it has one
 */
export async function askCatalogue(
  { db }: { db: Pick<Database, "query"> },
  access: Pick<Access, "environment">,
  fields: KnownFields,
  game: string | undefined,
): Promise<CatalogueAnswer | null> {
  const name = fields.subject ?? fields.title ?? null;
  const number = fields.number ?? null;
  if (name === null || numberParts(number) === null) return null;
  const set = fields.set ?? null;
  const setCode = fields.setCode ?? null;
  const verdict = await matchCatalogue({ db }, access, { name, number, set, setCode });
  if (verdict.kind === "decided") return { kind: "decided", card: verdict.card };
  if (verdict.kind === "ambiguous") return { kind: "ambiguous" };
  const scope = { ...scopeOf(access), game: fields.game ?? game };
  const known = await knownToCatalogue(db, scope, { set: comparableName(set ?? ""), setCode });
  return { kind: "none", ...known };
}
