import { cardCategories, conditionProblem } from "./categories.ts";
import { EbayError } from "./errors.ts";
import { availableOf } from "./offer-records.ts";
import { hasLocation, hasPolicy } from "./setup.ts";
import type { SellerStore } from "./seller.ts";
import type { ItemRecord, OfferRecord } from "./shapes.ts";

const policyErrors = [
  ["fulfillment", "fulfillmentPolicyId", 25_007],
  ["payment", "paymentPolicyId", 25_008],
  ["return", "returnPolicyId", 25_009],
] as const;

/** Everything that keeps an offer from being a listing, as eBay finds it when it is published or revised. */
export async function publishingProblems(
  seller: SellerStore,
  item: ItemRecord,
  { terms, marketplaceId }: Pick<OfferRecord, "terms" | "marketplaceId">,
): Promise<EbayError[]> {
  const problems: EbayError[] = [];
  const add = (id: number, message: string, parameters: Record<string, string> = {}): void => {
    problems.push(new EbayError(400, id, message, parameters));
  };
  const user = (about: string, parameters: Record<string, string> = {}): void =>
    add(25_002, `A user error has occurred. ${about}`, parameters);

  const { product, condition, conditionDescriptors = [] } = item.body;
  const price = terms.pricingSummary?.price;
  if (price === undefined || !/^\d{1,9}(\.\d{1,2})?$/.test(price.value) || Number(price.value) <= 0)
    add(25_003, "The listing has an invalid price.");
  else if (price.currency !== (marketplaceId === "EBAY_US" ? "USD" : price.currency))
    add(25_003, "The listing has an invalid price. The currency does not fit the site.");
  const quantity = availableOf(item, { terms } as OfferRecord);
  if (quantity < 1 && !seller.record.options.out_of_stock_control) {
    add(25_004, "The listing has an invalid quantity.");
  }
  const category = cardCategories.find(({ id }) => id === terms.categoryId);
  if (category === undefined) add(25_005, "The listing has an invalid category ID.");
  else {
    const wrong = conditionProblem(category, condition, conditionDescriptors);
    if (wrong !== null) {
      add(25_021, `The listing has invalid item condition information. ${wrong}`, {
        additionalInfo: wrong,
      });
    }
    for (const name of category.requiredAspects) {
      if ((product?.aspects?.[name] ?? []).length === 0) {
        user(`The item specific ${name} is missing.`, { "2": name });
      }
    }
  }
  if ((product?.title ?? "") === "") user("A title is missing.", { "0": "title" });
  const description = terms.listingDescription ?? product?.description ?? "";
  if (description === "") user("A description is missing.", { "0": "description" });
  for (const [kind, member, errorId] of policyErrors) {
    if (!hasPolicy(seller, kind, terms.listingPolicies?.[member])) {
      add(errorId, `The listing has invalid data in the associated ${kind} policy.`);
    }
  }
  if (!(await hasLocation(seller, terms.merchantLocationKey))) {
    add(25_012, "Invalid inventory location.");
  }
  const pictures = product?.imageUrls ?? [];
  if (pictures.length === 0 || pictures.length > 24)
    add(25_014, "The listing has invalid pictures.");
  else if (!pictures.every(isPictureUrl)) add(25_015, "The listing has an invalid picture URL.");
  return problems;
}

/** Https; or the origin of a service on this machine. Nothing is fetched. */
function isPictureUrl(given: string): boolean {
  if (given.length > 500 || !URL.canParse(given)) return false;
  const { protocol, hostname, username } = new URL(given);
  if (username !== "") return false;
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
