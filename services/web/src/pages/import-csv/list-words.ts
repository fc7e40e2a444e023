import type {
  DuplicateAction,
  ImportField,
  ImportLayout,
  ImportMatch,
  ImportOutcome,
  ImportVerdict,
} from "@cardvault/contract";

export const layoutWords: Record<ImportLayout, string> = {
  cardvault: "Card Vault",
  tcgplayer: "TCGplayer",
  manabox: "ManaBox",
  deckbox: "Deckbox",
  moxfield: "Moxfield",
  card_dealer_pro: "Card Dealer Pro",
  collx: "CollX",
  ebay: "eBay",
};

/** What a column can say, in the groups in which one looks for it. */
export const fieldGroups: readonly { group: string; fields: readonly ImportField[] }[] = [
  {
    group: "What the card is",
    fields: [
      "title",
      "game",
      "set",
      "set_code",
      "number",
      "year",
      "subject",
      "team",
      "manufacturer",
      "variant",
      "finish",
      "rarity",
      "language",
      "print_run",
      "serial_number",
      "is_rookie",
      "is_autograph",
      "is_memorabilia",
      "attributes",
    ],
  },
  {
    group: "Its condition",
    fields: [
      "condition",
      "condition_and_finish",
      "grader",
      "grade",
      "cert_number",
      "qualifier",
      "grading",
    ],
  },
  {
    group: "How many, and for how much",
    fields: [
      "quantity",
      "add_quantity",
      "asking_price",
      "price_floor",
      "purchase_price",
      "price_currency",
      "market_price",
      "market_price_currency",
      "market_price_source",
      "market_price_as_of",
    ],
  },
  {
    group: "In your stock",
    fields: [
      "card_id",
      "sku",
      "location",
      "notes",
      "tags",
      "tag_if",
      "external_id",
      "external_ids",
      "workflow_status",
    ],
  },
];

export const fieldWords: Record<ImportField, string> = {
  card_id: "Card id",
  sku: "SKU",
  title: "Title",
  game: "Game",
  set: "Set",
  set_code: "Set code",
  number: "Number",
  year: "Year",
  subject: "Player or character",
  team: "Team",
  manufacturer: "Manufacturer",
  variant: "Variant",
  finish: "Finish (foil or not)",
  rarity: "Rarity",
  language: "Language",
  print_run: "Print run",
  serial_number: "Serial number",
  is_rookie: "Rookie (yes or no)",
  is_autograph: "Autograph (yes or no)",
  is_memorabilia: "Memorabilia (yes or no)",
  attributes: "Attributes (RC, AU, MEM, SN)",
  condition: "Condition",
  condition_and_finish: "Condition and finish",
  grader: "Grader",
  grade: "Grade",
  cert_number: "Certificate number",
  qualifier: "Qualifier",
  grading: "Grading (PSA 10)",
  quantity: "Quantity",
  add_quantity: "Quantity to add",
  asking_price: "Asking price",
  price_floor: "Price floor",
  purchase_price: "Purchase price",
  price_currency: "Currency of prices",
  location: "Location",
  notes: "Notes",
  tags: "Tags",
  tag_if: "A tag, where it says yes",
  external_id: "Another tool's id",
  external_ids: "Other tools' ids (our export)",
  market_price: "Market price",
  market_price_currency: "Currency of the market price",
  market_price_source: "Source of the market price",
  market_price_as_of: "Date of the market price",
  workflow_status: "Stage",
};

export const duplicateWords: Record<DuplicateAction, string> = {
  skip: "Leave the card as it is",
  update: "Update the card with the row",
  add_to_quantity: "Add its copies to the card",
  create: "Make another card",
};

/** What is done with duplicates, behind one and behind several. */
export const duplicateOutcomes: Record<DuplicateAction, readonly [one: string, many: string]> = {
  skip: ["is passed over", "are passed over"],
  update: ["updates its card", "update their cards"],
  add_to_quantity: ["adds copies to its card", "add copies to their cards"],
  create: ["makes another card", "make other cards"],
};

export const matchWords: Record<ImportMatch, string> = {
  sku: "SKU",
  cert_number: "Certificate number",
  external_id: "Another tool's id",
  identity: "Title, set, number, variant, language and condition",
};

export const verdictWords: Record<ImportVerdict, string> = {
  valid: "Valid",
  invalid: "Invalid",
  duplicate: "Duplicates",
  ignored: "Passed over",
};

export const outcomeWords: Record<ImportOutcome, string> = {
  created: "Made",
  updated: "Updated",
  added: "Copies added",
  skipped: "Passed over",
  failed: "Failed",
  undone: "Taken back",
  kept: "Kept",
};
