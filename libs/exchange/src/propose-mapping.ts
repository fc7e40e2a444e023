import type { ImportField, ImportLayout, ImportMapping } from "@cardvault/contract";
import { plainHeader } from "./csv/headers.ts";
import { layouts } from "./layouts/index.ts";
import type { Layout, LayoutColumn } from "./layouts/layout.ts";
import { guessDecimal } from "./values/money.ts";

const defaults = {
  constants: {},
  decimal: ".",
  condition_scale: "general",
  compose_title: false,
  skip_out_of_stock: false,
} as const;

/** The headers that people give their own lists. */
const usual: Readonly<Record<string, LayoutColumn>> = Object.fromEntries(
  Object.entries({
    sku: "custom label,stock number,item number,inventory id",
    card_id: "card id",
    title: "name,card name,card,product name,product,item,listing title",
    game: "product line,tcg,sport,category",
    set: "set name,edition,expansion,series,product set",
    set_code: "edition code,expansion code,set abbreviation",
    number: "card number,collector number,card #,#,no,card no,collector no,num",
    year: "season,release year",
    subject: "player,player name,character,athlete",
    team: "club",
    manufacturer: "brand,maker,publisher",
    variant: "variation,parallel,subset,version,treatment,subset/parallel,insert",
    finish: "foil,printing,foiling,holo",
    rarity: "rarity name",
    language: "lang",
    print_run: "numbered to,printrun",
    serial_number: "serial,serial no",
    is_rookie: "rookie,rookie card,is rookie,rc",
    is_autograph: "autograph,auto,autographed,is autograph,signed",
    is_memorabilia: "memorabilia,relic,patch,is memorabilia",
    attributes: "flags,features",
    condition: "card condition,cond,quality,state",
    grader: "grading company,graded by,professional grader,grade company,company",
    grade: "grade value,numeric grade",
    cert_number:
      "cert,cert no,cert #,certificate,certification number,certification,certificate number",
    grading: "graded as,grade and company",
    quantity: "qty,count,total quantity,stock,copies,amount,on hand",
    add_quantity: "add to quantity",
    asking_price:
      "price,sale price,sell price,list price,my price,start price,tcg marketplace price,listing price,retail",
    price_floor: "minimum price,min price,floor",
    purchase_price:
      "cost,purchase cost,paid,price paid,buy price,cost basis,purchased for,price bought",
    price_currency: "currency,purchase price currency",
    location: "box,binder,shelf,bin,storage,place,binder name,storage location",
    notes: "note,comment,comments,description,remarks",
    tags: "tag,labels",
  }).flatMap(([field, names]) =>
    [field, ...names.split(",")].map((name) => [plainHeader(name), field as ImportField]),
  ),
);

export interface ProposedMapping {
  mapping: ImportMapping;
  layout: ImportLayout | null;
}

/** What the headers of a list say of its columns: a known tool's, or guesses. */
export function proposeMapping(
  headers: readonly string[],
  sample: readonly (readonly string[])[],
): ProposedMapping {
  const plain = headers.map(plainHeader);
  const layout = recogniseLayout(headers);
  const known = layout?.columns ?? usual;
  const taken = new Set<string>();
  const columns: ImportMapping["columns"] = [];
  for (const [column, header] of plain.entries()) {
    const meaning = Object.hasOwn(known, header) ? known[header] : undefined;
    if (meaning === undefined) continue;
    const [field, name] = typeof meaning === "string" ? [meaning] : meaning;
    const key = `${field} ${name ?? ""}`;
    // Of two columns that mean the same, as "Season" and "Year", the first that is filled counts.
    if (taken.has(key) && !sample.some((row) => (row[column] ?? "") !== "")) continue;
    if (taken.has(key) && layout?.id !== "card_dealer_pro") continue;
    taken.add(key);
    columns.push({ column, field, ...(name === undefined ? {} : { name }) });
  }
  const prices = columns
    .filter(({ field }) => field.endsWith("_price") || field === "price_floor")
    .flatMap(({ column }) => sample.map((row) => row[column] ?? ""));
  const decimal = guessDecimal(prices);
  return {
    layout: layout?.id ?? null,
    mapping: { ...defaults, ...layout?.options, decimal, columns },
  };
}

function recogniseLayout(headers: readonly string[]): Layout | undefined {
  const plain = new Set(headers.map(plainHeader));
  return layouts.find((layout) =>
    layout.recognisedBy.some((needed) => needed.every((header) => plain.has(header))),
  );
}

/** How many of these cells are headers that mean something to us. */
export function knownHeaders(cells: readonly string[]): number {
  if (recogniseLayout(cells) !== undefined) return cells.length;
  return cells.filter((cell) => Object.hasOwn(usual, plainHeader(cell))).length;
}
