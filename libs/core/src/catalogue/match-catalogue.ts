import { comparableName, judgeCards, readNumber } from "@cardvault/catalogue";
import type { Verdict } from "@cardvault/catalogue";
import { findCatalogueByNumber, searchCatalogue } from "@cardvault/db";
import type { CatalogueFinding, Database } from "@cardvault/db";
import type { Access } from "../context.ts";
import { scopeOf } from "./search-catalogue.ts";

/** What a provider or a reader says that a card is, as far as it says it. */
export interface CatalogueQuestion {
  /** The card's own name: player or character, else the title. */
  name: string | null;
  /** As printed, `<n>/<total>` or plain. */
  number: string | null;
  set: string | null;
  setCode: string | null;
  /** Where given, other games' cards do not count. */
  game?: string | undefined;
}

const mostNumbered = 500;
const mostNamed = 50;

/** Which card of the catalogue that is: decided by name, number and set total, and never by a name alone. */
export async function matchCatalogue(
  { db }: { db: Pick<Database, "query"> },
  access: Pick<Access, "environment">,
  question: CatalogueQuestion,
): Promise<Verdict<CatalogueFinding>> {
  const { name, set, setCode, game } = question;
  const comparedName = comparableName(name ?? "");
  if (comparedName === "") return { kind: "none" };
  const printed = question.number === null ? null : readNumber(question.number);
  const scope = { ...scopeOf(access), game };
  const cards =
    printed === null
      ? await searchCatalogue(db, {
          ...scope,
          words: comparedName.split(" ").filter((word) => word.length >= 3),
          number: null,
          total: null,
          limit: mostNamed,
        })
      : await findCatalogueByNumber(db, {
          ...scope,
          name: comparedName,
          number: printed.number,
          limit: mostNumbered,
        });
  const read = {
    name,
    number: printed?.number ?? null,
    total: printed?.total ?? null,
    set,
    setCode,
  };
  return judgeCards(read, cards);
}
