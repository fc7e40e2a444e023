import type { MarketplaceProblemCode } from "../problems.ts";

// By eBay's documentation of the Inventory API, 1.18.4.

/** Those that eBay calls passing: a system error, and two requests at once for one item. */
export const passingErrorIds: ReadonlySet<number> = new Set([25_001, 25_025]);

/** There is no such offer, item or order. */
export const missingErrorIds: ReadonlySet<number> = new Set([
  25_701, 25_702, 25_710, 25_713, 32_100,
]);

const byId: Readonly<Record<number, MarketplaceProblemCode>> = {
  20_403: "policies_unavailable",
  25_003: "price_invalid",
  25_004: "quantity_invalid",
  25_005: "category_invalid",
  25_006: "listing_option_invalid",
  25_007: "fulfillment_policy_invalid",
  25_008: "payment_policy_invalid",
  25_009: "return_policy_invalid",
  25_011: "tax_invalid",
  25_012: "location_invalid",
  25_013: "group_invalid",
  25_014: "photos_invalid",
  25_015: "photo_address_invalid",
  25_016: "field_invalid",
  25_017: "information_missing",
  25_018: "seller_account_incomplete",
  25_019: "listing_not_revisable",
  25_020: "package_invalid",
  25_021: "condition_invalid",
  25_022: "aspect_invalid",
  25_023: "compatibility_invalid",
  25_026: "selling_limit",
  25_028: "field_invalid",
  25_029: "category_field_missing",
  25_031: "field_invalid",
  25_032: "field_invalid",
  25_034: "policy_count",
  25_035: "policy_count",
  25_036: "policy_count",
  25_038: "listing_not_revisable",
  25_039: "listing_not_revisable",
  25_040: "listing_not_revisable",
  25_096: "on_hold",
  25_097: "on_hold",
  25_098: "on_hold",
  25_501: "photos_invalid",
  25_502: "aspect_invalid",
  25_503: "information_missing",
  25_601: "aspect_invalid",
  25_604: "field_invalid",
  25_701: "sku_unknown",
  25_702: "sku_unknown",
  25_707: "sku_invalid",
  25_708: "sku_invalid",
  25_709: "field_invalid",
  25_710: "sku_unknown",
  25_713: "offer_unknown",
  25_715: "package_invalid",
  25_752: "date_invalid",
  25_759: "on_hold",
  25_800: "field_invalid",
  25_801: "address_incomplete",
  25_802: "field_invalid",
  25_804: "field_invalid",
};

/** eBay's fields, where an error says which one it is about, as ours. */
const fields: ReadonlyMap<string, readonly [MarketplaceProblemCode, string]> = new Map([
  ["title", ["title_invalid", "title"]],
  ["description", ["description_invalid", "description"]],
  ["listingDescription", ["description_invalid", "description"]],
  ["sku", ["sku_invalid", "sku"]],
  ["categoryId", ["category_invalid", "category_id"]],
  ["imageUrls", ["photos_invalid", "photos"]],
  ["price", ["price_invalid", "price"]],
  ["availableQuantity", ["quantity_invalid", "quantity"]],
  ["quantity", ["quantity_invalid", "quantity"]],
  ["merchantLocationKey", ["location_invalid", "location_key"]],
  ["postalCode", ["address_incomplete", "postal_code"]],
]);

/** What an error of eBay's means; `refused` where its number is not one that we explain. */
export function codeOfErrorId(errorId: number): MarketplaceProblemCode {
  if (byId[errorId] !== undefined) return byId[errorId];
  // Product safety, energy labels, makers and their addresses; conditions of refurbished goods.
  if (errorId >= 25_076 && errorId <= 25_122) return "regulation_missing";
  if (errorId >= 25_041 && errorId <= 25_052) return "condition_invalid";
  return "refused";
}

/** The field that an error's parameters name, where it is one of ours. */
export function namedField(
  values: readonly string[],
): readonly [MarketplaceProblemCode, string] | null {
  for (const value of values) {
    const known = fields.get(value);
    if (known !== undefined) return known;
  }
  return null;
}
