import * as z from "zod";
import { cleanText, loose, looseList } from "../../fields.ts";
import type { BusinessPolicy, NewLocation, SellerSetup } from "../port.ts";
import type { EbayMarketplaceId } from "./access.ts";
import type { Send } from "./client.ts";

const maxName = 100;
const mostPolicies = 500;
const id = z.string().min(1).max(60);
const common = {
  name: loose,
  categoryTypes: looseList(z.object({ default: z.boolean().nullish().catch(null) })),
};

const fulfillmentAnswer = z.object({
  fulfillmentPolicies: looseList(z.object({ fulfillmentPolicyId: id, ...common }), mostPolicies),
});
const paymentAnswer = z.object({
  paymentPolicies: looseList(z.object({ paymentPolicyId: id, ...common }), mostPolicies),
});
const returnAnswer = z.object({
  returnPolicies: looseList(z.object({ returnPolicyId: id, ...common }), mostPolicies),
});
const locationsAnswer = z.object({
  locations: looseList(
    z.object({
      merchantLocationKey: id,
      merchantLocationStatus: z.string().nullish().catch(null),
      name: loose,
    }),
    mostPolicies,
  ),
});

/** The seller's policies for a marketplace, and the locations that are in use. */
export async function readSellerSetup(
  send: Send,
  marketplaceId: EbayMarketplaceId,
): Promise<SellerSetup> {
  const policies = (kind: string): { path: string } => ({
    path: `/sell/account/v1/${kind}_policy?marketplace_id=${marketplaceId}`,
  });
  const [fulfillment, payment, returns, places] = await Promise.all([
    send(policies("fulfillment"), fulfillmentAnswer),
    send(policies("payment"), paymentAnswer),
    send(policies("return"), returnAnswer),
    send({ path: "/sell/inventory/v1/location?limit=100" }, locationsAnswer),
  ]);
  return {
    fulfillmentPolicies: fulfillment.fulfillmentPolicies.map((one) =>
      policyOf(one.fulfillmentPolicyId, one),
    ),
    paymentPolicies: payment.paymentPolicies.map((one) => policyOf(one.paymentPolicyId, one)),
    returnPolicies: returns.returnPolicies.map((one) => policyOf(one.returnPolicyId, one)),
    locations: places.locations
      .filter(({ merchantLocationStatus }) => merchantLocationStatus !== "DISABLED")
      .map(({ merchantLocationKey: key, name }) => ({
        key,
        name: cleanText(name, maxName) ?? key,
      })),
  };
}

function policyOf(
  policyId: string,
  policy: { name: string | null; categoryTypes: { default?: boolean | null | undefined }[] },
): BusinessPolicy {
  return {
    id: policyId,
    name: cleanText(policy.name, maxName) ?? policyId,
    isDefault: policy.categoryTypes.some((type) => type.default === true),
  };
}

export function locationBody(location: NewLocation): object {
  const { name, country, postalCode, city, stateOrProvince } = location;
  return {
    name,
    locationTypes: ["WAREHOUSE"],
    merchantLocationStatus: "ENABLED",
    location: {
      address: {
        country,
        postalCode,
        ...(city === undefined ? {} : { city }),
        ...(stateOrProvince === undefined ? {} : { stateOrProvince }),
      },
    },
  };
}
