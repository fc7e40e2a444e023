import { writeChoices } from "@cardvault/db";
import type { SellerChoices } from "@cardvault/db";
import type { BusinessPolicy, SellerSetup } from "@cardvault/providers";
import type { MarketplaceNeeds, OpenedMarketplace } from "./open-marketplace.ts";

export const chooseNothing: SellerChoices = {
  paymentPolicyId: null,
  returnPolicyId: null,
  fulfillmentPolicyId: null,
  locationKey: null,
  categoryId: null,
};

/** Whether everything is chosen that a listing needs. */
export function isComplete(choices: SellerChoices): boolean {
  return (
    choices.paymentPolicyId !== null &&
    choices.returnPolicyId !== null &&
    choices.fulfillmentPolicyId !== null &&
    choices.locationKey !== null
  );
}

/**
 * Chooses for the seller where there is nothing to choose: the only policy or location, or the one that
 * the marketplace calls the default. What was chosen stays while it is there, and goes when it is gone.
 * @returns null where the marketplace could not be asked
 */
export async function chooseFromSetup(
  { db, clock }: Pick<MarketplaceNeeds, "db" | "clock">,
  { port, seller, choices }: OpenedMarketplace,
): Promise<SellerChoices | null> {
  const setup = await port.readSetup(seller);
  if (!setup.ok) return null;
  const chosen = { ...choices, ...choicesFrom(setup, choices) };
  await writeChoices(db, seller.key, chosen, clock.now());
  return chosen;
}

function choicesFrom(setup: SellerSetup, now: SellerChoices): Partial<SellerChoices> {
  const locations = setup.locations.map(({ key, name }) => ({ id: key, name, isDefault: false }));
  return {
    paymentPolicyId: choiceOf(setup.paymentPolicies, now.paymentPolicyId),
    returnPolicyId: choiceOf(setup.returnPolicies, now.returnPolicyId),
    fulfillmentPolicyId: choiceOf(setup.fulfillmentPolicies, now.fulfillmentPolicyId),
    locationKey: choiceOf(locations, now.locationKey),
  };
}

function choiceOf(offered: readonly BusinessPolicy[], chosen: string | null): string | null {
  if (offered.some(({ id }) => id === chosen)) return chosen;
  const [only, another] = offered;
  if (only !== undefined && another === undefined) return only.id;
  const defaults = offered.filter(({ isDefault }) => isDefault);
  return defaults.length === 1 ? (defaults[0]?.id ?? null) : null;
}
