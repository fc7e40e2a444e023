import {
  cardStatuses,
  conditions,
  inventorySorts,
  relevance,
  reviewReasons,
  workflowStatuses,
} from "@cardvault/contract";
import type { CardFilter, InventorySort } from "@cardvault/contract";
import type { Given } from "./search.ts";

/** In which order the inventory is shown; without one, the newest first, or what fits a search best. */
export type InventoryOrder = InventorySort | typeof relevance;

/** What the inventory's address says: every filter of its lists under its own name, flat, and how it is shown. */
export type InventorySearch = {
  [Member in keyof CardFilter]?: CardFilter[Member] | undefined;
} & {
  sort?: InventoryOrder | undefined;
  /** Other columns than those that are shown at first, in their order. */
  columns?: string[] | undefined;
  shown?: "grid" | undefined;
  /** The saved view that this began as. */
  view?: string | undefined;
};

type Reader = (value: unknown) => string | number | boolean | string[] | undefined;

const text: Reader = (value) => {
  const words = typeof value === "number" ? String(value) : value;
  return typeof words === "string" && words.trim() !== "" ? words.slice(0, 200) : undefined;
};
const yesOrNo: Reader = (value) => (typeof value === "boolean" ? value : undefined);
const whole: Reader = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined);
const moment: Reader = (value) =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
/** One alone may stand without brackets. */
const texts: Reader = (value) => {
  const some = (Array.isArray(value) ? value : [value])
    .map(text)
    .filter((one) => typeof one === "string");
  return some.length > 0 ? some.slice(0, 50) : undefined;
};
const someOf =
  (known: readonly string[]): Reader =>
  (value) => {
    const some = texts(value);
    const named = known.filter((one) => Array.isArray(some) && some.includes(one));
    return named.length > 0 ? named : undefined;
  };

/** How each filter is read from an address. What does not fit is left out, and never guessed. */
const readers: Record<keyof CardFilter, Reader> = {
  updated_since: moment,
  status: someOf(cardStatuses),
  workflow_status: someOf(workflowStatuses),
  location: texts,
  set: texts,
  game: texts,
  needs_review: yesOrNo,
  graded: yesOrNo,
  sku: texts,
  q: text,
  batch: texts,
  search: text,
  sku_prefix: text,
  price_min: whole,
  price_max: whole,
  market_price_min: whole,
  market_price_max: whole,
  cost_min: whole,
  cost_max: whole,
  quantity_min: whole,
  quantity_max: whole,
  year_min: whole,
  year_max: whole,
  has_price: yesOrNo,
  has_market_price: yesOrNo,
  has_photo: yesOrNo,
  has_location: yesOrNo,
  has_batch: yesOrNo,
  condition: someOf(conditions),
  grader: texts,
  grade: texts,
  language: texts,
  rarity: texts,
  tag: texts,
  review_reason: someOf(reviewReasons),
  created_since: moment,
  created_until: moment,
};

const orders: readonly InventoryOrder[] = [...inventorySorts, relevance];
const filterMembers = Object.keys(readers) as (keyof CardFilter)[];

export function inventorySearch(given: Given): InventorySearch {
  const columns = texts(given["columns"]);
  const search: InventorySearch = {
    ...readFilter(given),
    sort: orders.find((order) => order === given["sort"]),
    columns: Array.isArray(columns) ? columns : undefined,
    shown: given["shown"] === "grid" ? "grid" : undefined,
    view: typeof given["view"] === "string" ? given["view"] : undefined,
  };
  // An order by how well a search fits needs one.
  return search.sort === relevance && search.search === undefined
    ? { ...search, sort: undefined }
    : search;
}

function readFilter(given: Given): CardFilter {
  const filter: Record<string, unknown> = {};
  for (const member of filterMembers) {
    const value = readers[member](given[member]);
    if (value !== undefined) filter[member] = value;
  }
  return filter;
}

/** The filter alone, as the lists are asked for it. */
export function filterOf(search: InventorySearch): CardFilter {
  return readFilter(search);
}

/** A search without any of the filters; how it is shown stays. */
export function withoutFilter(search: InventorySearch): InventorySearch {
  const { columns, shown } = search;
  return { columns, shown };
}
