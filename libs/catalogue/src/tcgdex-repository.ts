import { parse } from "acorn";
import type { Expression, Property, SpreadElement } from "acorn";
import * as z from "zod";
import type { CatalogueEntry } from "./card.ts";
import { tcgdexEntry } from "./tcgdex.ts";

const id = z.union([z.string(), z.number()]).transform(String);
const names = z.object({ en: z.string().optional() });

const setFile = z.object({
  id: z.string(),
  name: names,
  releaseDate: z.union([z.string(), z.object({ en: z.string().optional() })]).optional(),
  cardCount: z.object({ official: z.int().optional() }).optional(),
});
export type TcgdexSet = z.output<typeof setFile>;

const cardFile = z.object({
  name: names,
  rarity: z.string().optional(),
  thirdParty: z
    .object({ cardmarket: id.optional(), tcgplayer: id.optional() })
    .optional()
    .catch(undefined),
});

/** A set's file of the repository; null where it is none with an English name. */
export function readTcgdexSetFile(source: string): TcgdexSet | null {
  const result = setFile.safeParse(exportedObject(source));
  return result.success && result.data.name.en !== undefined ? result.data : null;
}

/** A card's file of the repository: its number is the file's name. Null where it is none in English. */
export function readTcgdexCardFile(
  source: string,
  number: string,
  set: TcgdexSet,
): CatalogueEntry | null {
  const result = cardFile.safeParse(exportedObject(source));
  if (!result.success || result.data.name.en === undefined || set.name.en === undefined)
    return null;
  const { name, rarity, thirdParty } = result.data;
  const released = typeof set.releaseDate === "string" ? set.releaseDate : set.releaseDate?.en;
  return tcgdexEntry({
    setId: set.id,
    setName: set.name.en,
    number,
    name: name.en ?? "",
    rarity,
    total: set.cardCount?.official,
    released,
    tcgplayer: thirdParty?.tcgplayer,
    cardmarket: thirdParty?.cardmarket,
    image: null,
  });
}

/**
 * What a module of the repository exports by default. The files are programs, and a list that somebody
 * downloaded is never run: only literals are read, whatever else it holds is undefined.
 */
function exportedObject(source: string): unknown {
  try {
    // The files' only TypeScript is the annotation of a constant.
    const plain = source.replaceAll(/^(\s*const\s+\w+)\s*:\s*[\w.<>[\] ]+=/gm, "$1 =");
    const program = parse(plain, { ecmaVersion: "latest", sourceType: "module" });
    for (const statement of program.body) {
      if (statement.type !== "VariableDeclaration") continue;
      const value = statement.declarations[0]?.init;
      if (value?.type === "ObjectExpression") return literal(value);
    }
  } catch {
    // Not a file of this layout, which is the answer.
  }
  return undefined;
}

function literal(node: Expression): unknown {
  switch (node.type) {
    case "Literal":
      return node.value;
    case "ObjectExpression":
      return Object.fromEntries(node.properties.flatMap(member));
    case "ArrayExpression":
      return node.elements.map((it) =>
        it === null || it.type === "SpreadElement" ? undefined : literal(it),
      );
    case "UnaryExpression":
      return node.operator === "-" ? -Number(literal(node.argument)) : undefined;
    default:
      return undefined;
  }
}

function member(property: Property | SpreadElement): [string, unknown][] {
  if (property.type !== "Property" || property.computed || property.kind !== "init") return [];
  const { key } = property;
  const name =
    key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
  return name === "" || name === "__proto__" ? [] : [[name, literal(property.value)]];
}
