import type { SimulatedAnswer, SimulatedRequest } from "../protocol.ts";
import { aspectsOf, cardCategories, conditionPolicyOf } from "./categories.ts";
import { EbayError } from "./errors.ts";
import { parsedBody } from "./body.ts";
import type { SellerStore } from "./seller.ts";
import { locationBody } from "./shapes.ts";
import type { LocationBody } from "./shapes.ts";

const marketplaceId = "EBAY_US";
const categoryTypes = [{ name: "ALL_EXCLUDING_MOTORS_VEHICLES", default: true }];

/** The business policies of a seller who has set up the selling; ids are the same for all of them. */
const policies = {
  fulfillment: [
    { id: "6196932000", name: "Cards in a top loader, 1 business day" },
    { id: "6196933000", name: "Letter with tracking, 3 business days" },
  ],
  payment: [{ id: "6196947000", name: "Payment at checkout" }],
  return: [{ id: "6196944000", name: "Returns within 30 days" }],
} as const;
export type PolicyKind = keyof typeof policies;

export function hasPolicy(seller: SellerStore, kind: PolicyKind, id: string | undefined): boolean {
  return seller.record.options.is_set_up && policies[kind].some((policy) => policy.id === id);
}

/** `GET /sell/account/v1/{kind}_policy`. */
export function policiesAnswer(
  seller: SellerStore,
  kind: PolicyKind,
  { query }: SimulatedRequest,
): SimulatedAnswer {
  const given = query.get("marketplace_id");
  if (given !== marketplaceId) {
    throw new EbayError(400, 20_403, "Invalid marketplaceId.", {}, "API_ACCOUNT");
  }
  const found = seller.record.options.is_set_up
    ? policies[kind].map(({ id, name }, index) => ({
        [`${kind}PolicyId`]: id,
        name,
        marketplaceId,
        categoryTypes: categoryTypes.map((type) => ({ ...type, default: index === 0 })),
      }))
    : [];
  const href = `https://api.ebay.com/sell/account/v1/${kind}_policy?marketplace_id=${given}`;
  return answer({ total: found.length, href, [`${kind}Policies`]: found });
}

interface LocationRecord {
  merchantLocationKey: string;
  body: LocationBody;
}

const firstLocation: LocationRecord = {
  merchantLocationKey: "default",
  body: {
    name: "Card room",
    merchantLocationStatus: "ENABLED",
    locationTypes: ["WAREHOUSE"],
    location: { address: { postalCode: "43215", country: "US" } },
  },
};

async function locationsOf(seller: SellerStore): Promise<LocationRecord[]> {
  const made = await seller.list<LocationRecord>("location");
  return seller.record.options.is_set_up ? [firstLocation, ...made] : made;
}

export async function hasLocation(seller: SellerStore, key: string | undefined): Promise<boolean> {
  return (await locationsOf(seller)).some((one) => one.merchantLocationKey === key);
}

/** `GET /sell/inventory/v1/location`. */
export async function locationsAnswer(seller: SellerStore): Promise<SimulatedAnswer> {
  const found = await locationsOf(seller);
  return answer({
    href: "/sell/inventory/v1/location?limit=100&offset=0",
    limit: 100,
    offset: 0,
    total: found.length,
    locations: found.map(({ merchantLocationKey, body }) => ({
      merchantLocationKey,
      name: body.name ?? "",
      merchantLocationStatus: body.merchantLocationStatus ?? "ENABLED",
      locationTypes: body.locationTypes ?? ["STORE"],
      location: body.location,
    })),
  });
}

/** `POST /sell/inventory/v1/location/{merchantLocationKey}`. */
export async function makeLocation(
  seller: SellerStore,
  key: string,
  request: SimulatedRequest,
): Promise<SimulatedAnswer> {
  if (!/^[\w-]{1,36}$/.test(key)) throw new EbayError(400, 25_800, "Invalid merchantLocationKey.");
  const body = parsedBody(request, locationBody, 25_802);
  const { postalCode, city, stateOrProvince } = body.location.address;
  if (postalCode === undefined && (city === undefined || stateOrProvince === undefined)) {
    throw new EbayError(400, 25_801, "Missing field postalCode.", { fieldName: "postalCode" });
  }
  if (await hasLocation(seller, key)) {
    throw new EbayError(409, 25_803, "merchantLocationKey already exists.");
  }
  await seller.write("location", [key], { merchantLocationKey: key, body });
  return { status: 204, json: undefined };
}

/** `GET /sell/metadata/v1/marketplace/{id}/get_item_condition_policies`, of cards alone. */
export function conditionsAnswer({ query }: SimulatedRequest): SimulatedAnswer {
  const [, listed] = /^categoryIds:\{([\d|]+)\}$/.exec(query.get("filter") ?? "") ?? [];
  const wanted = listed?.split("|");
  const found = cardCategories.filter(({ id }) => wanted === undefined || wanted.includes(id));
  return found.length === 0
    ? { status: 204, json: undefined }
    : answer({ itemConditionPolicies: found.map(conditionPolicyOf) });
}

/** `GET /commerce/taxonomy/v1/get_default_category_tree_id`. */
export function treeAnswer({ query }: SimulatedRequest): SimulatedAnswer {
  if (query.get("marketplace_id") !== marketplaceId) {
    const message = "The specified marketplace ID was not found.";
    throw new EbayError(400, 62_003, message, {}, "API_TAXONOMY");
  }
  return answer({ categoryTreeId: "0", categoryTreeVersion: "1" });
}

/** `GET /commerce/taxonomy/v1/category_tree/0/get_item_aspects_for_category`. */
export function aspectsAnswer({ query }: SimulatedRequest): SimulatedAnswer {
  const category = cardCategories.find(({ id }) => id === query.get("category_id"));
  if (category === undefined) {
    const message = "The specified category ID does not belong to specified category tree.";
    throw new EbayError(400, 62_005, message, {}, "API_TAXONOMY");
  }
  return answer(aspectsOf(category));
}

const answer = (json: unknown): SimulatedAnswer => ({ status: 200, json });
