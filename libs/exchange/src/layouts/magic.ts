import type { Card, Condition } from "@cardvault/contract";
import { formatMoney } from "../values/money.ts";
import { languageName } from "../values/words.ts";
import { text } from "./layout.ts";
import type { Layout } from "./layout.ts";

const game = "Magic: The Gathering";
const price = (amount: Card["price_floor"]): string => (amount === null ? "" : formatMoney(amount));
const isFoil = ({ variant }: Card): boolean => /foil/iu.test(variant ?? "");
const hasTag = ({ tags }: Card, tag: string): boolean => tags.includes(tag);
const lastPart = (number: string | null): string => text(number).replace(/\/.*$/u, "");

/** A condition in the words of a tool; a graded card is sold as what its slab says, here as mint. */
function conditionIn(card: Card, words: Readonly<Record<Condition, string>>): string {
  if (card.condition !== null) return words[card.condition];
  return card.grading === null ? "" : words.near_mint;
}

/**
 * ManaBox, collection export: `Name, Set code, Set name, Collector number, Foil, Rarity, Quantity,
 * ManaBox ID, Scryfall ID, Purchase price, Misprint, Altered, Condition, Language, Purchase price
 * currency`; the export of the whole collection has Binder Name and Binder Type before and Signed,
 * Proxy and Added among them. (Column names as public converters read them, among them the handlers
 * of mtg-transmute and MTG Desktop Companion; the grades from dyashman/mb2cs.)
 */
export const manaboxLayout: Layout = {
  id: "manabox",
  recognisedBy: [
    [
      "name",
      "set code",
      "collector number",
      "foil",
      "quantity",
      "scryfall id",
      "purchase price currency",
    ],
    ["name", "set code", "collector number", "foil", "quantity", "manabox id"],
  ],
  columns: {
    name: "title",
    "set code": "set_code",
    "set name": "set",
    "collector number": "number",
    foil: "finish",
    rarity: "rarity",
    quantity: "quantity",
    "manabox id": ["external_id", "manabox"],
    "scryfall id": ["external_id", "scryfall"],
    "purchase price": "purchase_price",
    "purchase price currency": "price_currency",
    misprint: ["tag_if", "misprint"],
    altered: ["tag_if", "altered"],
    signed: ["tag_if", "signed"],
    proxy: ["tag_if", "proxy"],
    condition: "condition",
    language: "language",
    "binder name": "location",
  },
  options: { constants: { game }, condition_scale: "cardmarket" },
  headers: () =>
    (
      "Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID," +
      "Purchase price,Misprint,Altered,Condition,Language,Purchase price currency"
    ).split(","),
  cells: (card) => [
    text(card.title),
    text(card.set_code),
    text(card.set),
    lastPart(card.number),
    isFoil(card) ? (/etched/iu.test(card.variant ?? "") ? "etched" : "foil") : "normal",
    text(card.rarity),
    text(card.quantity),
    text(card.external_ids["manabox"]),
    text(card.external_ids["scryfall"]),
    price(card.purchase_price),
    String(hasTag(card, "misprint")),
    String(hasTag(card, "altered")),
    conditionIn(card, {
      near_mint: "near_mint",
      lightly_played: "excellent",
      moderately_played: "good",
      heavily_played: "played",
      damaged: "poor",
    }),
    card.language ?? "en",
    text(card.purchase_price?.currency),
  ],
};

/**
 * Deckbox, inventory export: `Count, Tradelist Count, Name, Edition, Card Number, Condition, Language,
 * Foil, Signed, Artist Proof, Altered Art, Misprint, Promo, Textless, My Price`. Edition is the set's
 * name. (Column names as public exporters write them, among them tgiachi/DiceClub.)
 */
export const deckboxLayout: Layout = {
  id: "deckbox",
  recognisedBy: [
    ["count", "tradelist count", "name", "edition", "card number", "condition", "foil"],
  ],
  columns: {
    count: "quantity",
    name: "title",
    edition: "set",
    "edition code": "set_code",
    "card number": "number",
    condition: "condition",
    language: "language",
    foil: "finish",
    signed: ["tag_if", "signed"],
    "artist proof": ["tag_if", "artist proof"],
    "altered art": ["tag_if", "altered"],
    misprint: ["tag_if", "misprint"],
    promo: ["tag_if", "promo"],
    textless: ["tag_if", "textless"],
    "my price": "asking_price",
  },
  options: { constants: { game } },
  headers: () =>
    (
      "Count,Tradelist Count,Name,Edition,Card Number,Condition,Language,Foil,Signed,Artist Proof," +
      "Altered Art,Misprint,Promo,Textless,My Price"
    ).split(","),
  cells: (card) => [
    text(card.quantity),
    "0",
    text(card.title),
    text(card.set),
    lastPart(card.number),
    conditionIn(card, {
      near_mint: "Near Mint",
      lightly_played: "Good (Lightly Played)",
      moderately_played: "Played",
      heavily_played: "Heavily Played",
      damaged: "Poor",
    }),
    languageName(card.language ?? "en"),
    isFoil(card) ? "foil" : "",
    ...["signed", "artist proof", "altered", "misprint", "promo", "textless"].map((tag) =>
      hasTag(card, tag) ? tag : "",
    ),
    price(card.asking_price),
  ],
};

/**
 * Moxfield, collection export: `Count, Tradelist Count, Name, Edition, Condition, Language, Foil, Tags,
 * Last Modified, Collector Number, Alter, Proxy, Purchase Price`. Edition is the set's code. (Column
 * names as the tests of several public converters state them.)
 */
export const moxfieldLayout: Layout = {
  id: "moxfield",
  recognisedBy: [
    ["count", "tradelist count", "name", "edition", "condition", "foil", "collector number"],
  ],
  columns: {
    count: "quantity",
    name: "title",
    edition: "set_code",
    condition: "condition",
    language: "language",
    foil: "finish",
    tags: "tags",
    "collector number": "number",
    alter: ["tag_if", "altered"],
    proxy: ["tag_if", "proxy"],
    "purchase price": "purchase_price",
  },
  options: { constants: { game } },
  headers: () =>
    (
      "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified," +
      "Collector Number,Alter,Proxy,Purchase Price"
    ).split(","),
  cells: (card) => [
    text(card.quantity),
    "0",
    text(card.title),
    text(card.set_code).toLowerCase(),
    conditionIn(card, {
      near_mint: "Near Mint",
      lightly_played: "Lightly Played",
      moderately_played: "Moderately Played",
      heavily_played: "Heavily Played",
      damaged: "Damaged",
    }),
    languageName(card.language ?? "en"),
    isFoil(card) ? (/etched/iu.test(card.variant ?? "") ? "etched" : "foil") : "",
    card.tags.filter((tag) => tag !== "altered" && tag !== "proxy").join(", "),
    card.updated_at.slice(0, 19).replace("T", " "),
    lastPart(card.number),
    hasTag(card, "altered") ? "True" : "False",
    hasTag(card, "proxy") ? "True" : "False",
    price(card.purchase_price),
  ],
};

/**
 * TCGplayer, inventory and pricing export of the seller portal: `TCGplayer Id, Product Line, Set Name,
 * Product Name, Title, Number, Rarity, Condition, TCG Market Price, TCG Direct Low, TCG Low Price With
 * Shipping, TCG Low Price, Total Quantity, Add to Quantity, TCG Marketplace Price, Photo URL`. The id is
 * of a product in one condition and printing. The pricing export has a row for each product, mostly
 * without stock. (Column names as the tests of several public tools state them.)
 */
export const tcgplayerLayout: Layout = {
  id: "tcgplayer",
  recognisedBy: [["tcgplayer id", "product line", "set name", "product name", "condition"]],
  columns: {
    "tcgplayer id": ["external_id", "tcgplayer"],
    "product line": "game",
    "set name": "set",
    "product name": "title",
    number: "number",
    rarity: "rarity",
    condition: "condition_and_finish",
    "total quantity": "quantity",
    "add to quantity": "add_quantity",
    "tcg marketplace price": "asking_price",
  },
  options: { skip_out_of_stock: true },
  headers: () =>
    (
      "TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition," +
      "TCG Market Price,TCG Direct Low,TCG Low Price With Shipping,TCG Low Price,Total Quantity," +
      "Add to Quantity,TCG Marketplace Price,Photo URL"
    ).split(","),
  cells: (card) => [
    text(card.external_ids["tcgplayer"]),
    card.game === game ? "Magic" : text(card.game),
    text(card.set),
    text(card.title),
    "",
    text(card.number),
    text(card.rarity),
    [
      conditionIn(card, {
        near_mint: "Near Mint",
        lightly_played: "Lightly Played",
        moderately_played: "Moderately Played",
        heavily_played: "Heavily Played",
        damaged: "Damaged",
      }),
      isFoil(card) ? "Foil" : "",
    ]
      .filter((word) => word !== "")
      .join(" "),
    card.market_price === null ? "" : formatMoney(card.market_price),
    "",
    "",
    "",
    text(card.quantity),
    "0",
    price(card.asking_price),
    "",
  ],
};
