import type { MarketplaceProblem } from "./port.ts";

/**
 * What a marketplace can have against a listing, in a dealer's words, and the member of the card or
 * listing that it is about. Closed: what is not here is `refused`.
 */
const problems = {
  refused: ["eBay refused this listing without naming a reason that we know.", null],
  title_invalid: ["eBay does not accept the title. It has 1 to 80 characters.", "title"],
  description_invalid: ["eBay does not accept the description.", "description"],
  price_invalid: ["eBay does not accept the price.", "price"],
  quantity_invalid: ["eBay does not accept the quantity.", "quantity"],
  category_invalid: ["eBay does not list cards in this category.", "category_id"],
  listing_option_invalid: ["eBay does not accept a setting of this listing.", null],
  fulfillment_policy_invalid: [
    "The shipping policy is not there any more or cannot be used. Choose another in the marketplace settings.",
    "fulfillment_policy",
  ],
  payment_policy_invalid: [
    "The payment policy is not there any more or cannot be used. Choose another in the marketplace settings.",
    "payment_policy",
  ],
  return_policy_invalid: [
    "The return policy is not there any more or cannot be used. Choose another in the marketplace settings.",
    "return_policy",
  ],
  policies_unavailable: [
    "This eBay account has no business policies. Switch them on at eBay, then come back.",
    null,
  ],
  tax_invalid: ["The tax settings of the eBay account do not fit this listing.", null],
  location_invalid: [
    "The location that parcels come from is not there any more. Choose another in the marketplace settings.",
    "location_key",
  ],
  group_invalid: [
    "The card belongs to a group of variations at eBay and cannot be listed on its own.",
    null,
  ],
  photos_invalid: [
    "eBay does not accept the photos. It wants 1 to 24 of them, at least 500 pixels long.",
    "photos",
  ],
  photo_address_invalid: [
    "eBay cannot fetch a photo. Photos must be reachable from the internet.",
    "photos",
  ],
  field_invalid: ["eBay does not accept the value of a field.", null],
  information_missing: ["eBay wants more information for this listing.", null],
  seller_account_incomplete: ["The eBay account is not ready to sell. Complete it at eBay.", null],
  listing_not_revisable: [
    "eBay does not let this listing be changed now. It may have ended, or somebody is buying.",
    null,
  ],
  package_invalid: ["eBay does not accept the size or weight of the parcel.", null],
  condition_invalid: [
    "eBay does not accept this condition or grading in this category.",
    "condition",
  ],
  condition_missing: ["The card has neither a condition nor a grading.", "condition"],
  grader_unknown: ["eBay does not know this grader.", "grading.grader"],
  grade_unknown: ["eBay does not know this grade.", "grading.grade"],
  certificate_invalid: [
    "The certification number is longer than eBay takes.",
    "grading.cert_number",
  ],
  aspect_invalid: ["eBay does not accept one of the item specifics.", "aspects"],
  aspect_missing: ["eBay wants an item specific that is missing.", "aspects"],
  compatibility_invalid: ["eBay does not accept compatibility information of this listing.", null],
  selling_limit: ["The eBay account has reached its selling limit.", null],
  category_field_missing: ["eBay wants a field for this category that is missing.", "aspects"],
  on_hold: ["eBay has put this listing on hold. eBay's mail says why.", null],
  sku_invalid: ["eBay does not accept this SKU. It has at most 50 letters and digits.", "sku"],
  sku_unknown: ["eBay does not know this SKU any more.", "sku"],
  offer_unknown: ["eBay does not know this offer any more.", null],
  policy_count: ["Too many policies are set for this listing.", null],
  regulation_missing: ["eBay wants information about the product's safety or its maker.", null],
  date_invalid: ["eBay does not accept the date on which the listing begins.", null],
  code_invalid: [
    "eBay does not accept the answer of its consent page any more. Connect again.",
    null,
  ],
  address_incomplete: [
    "The address needs a country and a postal code, or a city and a state.",
    "postal_code",
  ],
  not_permitted: [
    "eBay does not permit this to the account. Connect it again, or look at eBay what is missing.",
    null,
  ],
} as const satisfies Readonly<Record<string, readonly [message: string, field: string | null]>>;

export type MarketplaceProblemCode = keyof typeof problems;

export function problemOf(code: MarketplaceProblemCode, field?: string | null): MarketplaceProblem {
  const [message, ownField] = problems[code];
  return { code, message, field: field === undefined ? ownField : field };
}
