import { formatMoney } from "../values/money.ts";
import type { Card, ImportField } from "@cardvault/contract";
import { text } from "./layout.ts";
import type { Layout } from "./layout.ts";

type Cell = (card: Card) => string;
const yesOrNo = (value: boolean): string => (value ? "yes" : "no");
const money = (amount: Card["price_floor"]): string => (amount === null ? "" : formatMoney(amount));

/** Tags with a semicolon between them, or as JSON where that would break one. */
function tagsCell(tags: readonly string[]): string {
  const isPlain = tags.every((tag) => /^[^;[\]\s'](?:[^;]*[^;\s])?$/u.test(tag));
  return isPlain ? tags.join(";") : JSON.stringify(tags);
}

/** In the order of the ids' names: jsonb does not keep the order in which they were given. */
function idsCell(ids: Card["external_ids"]): string {
  const entries = Object.entries(ids).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? "" : JSON.stringify(Object.fromEntries(entries));
}

/** Everything of a card that can be brought back, each column under its field's name. */
const columns: readonly (readonly [ImportField, Cell])[] = [
  ["sku", (card) => text(card.sku)],
  ["title", (card) => text(card.title)],
  ["game", (card) => text(card.game)],
  ["set", (card) => text(card.set)],
  ["set_code", (card) => text(card.set_code)],
  ["number", (card) => text(card.number)],
  ["year", (card) => text(card.year)],
  ["subject", (card) => text(card.subject)],
  ["team", (card) => text(card.team)],
  ["manufacturer", (card) => text(card.manufacturer)],
  ["variant", (card) => text(card.variant)],
  ["rarity", (card) => text(card.rarity)],
  ["language", (card) => text(card.language)],
  ["print_run", (card) => text(card.print_run)],
  ["serial_number", (card) => text(card.serial_number)],
  ["is_rookie", (card) => yesOrNo(card.is_rookie)],
  ["is_autograph", (card) => yesOrNo(card.is_autograph)],
  ["is_memorabilia", (card) => yesOrNo(card.is_memorabilia)],
  ["condition", (card) => text(card.condition)],
  ["grader", (card) => text(card.grading?.grader)],
  ["grade", (card) => text(card.grading?.grade)],
  ["cert_number", (card) => text(card.grading?.cert_number)],
  ["qualifier", (card) => text(card.grading?.qualifier)],
  ["quantity", (card) => text(card.quantity)],
  ["asking_price", (card) => money(card.asking_price)],
  ["price_floor", (card) => money(card.price_floor)],
  ["purchase_price", (card) => money(card.purchase_price)],
  [
    "price_currency",
    (card) => text((card.asking_price ?? card.price_floor ?? card.purchase_price)?.currency),
  ],
  ["location", (card) => text(card.location)],
  ["notes", (card) => text(card.notes)],
  ["tags", (card) => tagsCell(card.tags)],
  ["external_ids", (card) => idsCell(card.external_ids)],
  ["market_price", (card) => (card.market_price === null ? "" : formatMoney(card.market_price))],
  ["market_price_currency", (card) => text(card.market_price?.currency)],
  ["market_price_source", (card) => text(card.market_price?.source)],
  ["market_price_as_of", (card) => text(card.market_price?.as_of)],
  ["workflow_status", (card) => card.workflow_status],
];

/**
 * Our own list. Read into an empty account it makes the same cards, but for what a list cannot say:
 * ids, times, photos, listings, and who identified a card.
 */
export const ownLayout: Layout = {
  id: "cardvault",
  recognisedBy: [["sku", "set code", "external ids", "price currency", "workflow status"]],
  columns: Object.fromEntries([
    ["card id", "card_id"],
    ...columns.map(([field]) => [field.replaceAll("_", " "), field]),
  ]) as Layout["columns"],
  headers: () => columns.map(([field]) => field),
  cells: (card) => columns.map(([, cell]) => cell(card)),
};

/** The same with the card's id before it, for editing a list and bringing its changes back. */
export const ownLayoutWithIds: Layout = {
  ...ownLayout,
  headers: (currency) => ["card_id", ...ownLayout.headers(currency)],
  cells: (card) => [card.id, ...ownLayout.cells(card)],
};
