import { marketplaceSetup } from "@cardvault/contract";
import type { MarketplaceSetup } from "@cardvault/contract";
import type { BusinessPolicy, SellerSetup } from "@cardvault/providers";
import { session } from "../procedures.ts";
import { closedError, marketplaceError } from "./marketplace-error.ts";
import { openMarketplace } from "./open-marketplace.ts";
import type { MarketplaceNeeds, OpenedMarketplace } from "./open-marketplace.ts";

/** @throws VaultError `conflict` where it cannot be asked */
export async function requireOpen(
  needs: MarketplaceNeeds,
  accountId: string,
): Promise<OpenedMarketplace> {
  const opened = await openMarketplace(needs, accountId);
  if (!opened.isOpen) throw closedError(opened);
  return opened;
}

/**
 * What the seller has at the marketplace now.
 * @throws VaultError `conflict`; what the marketplace's failure is in public
 */
export async function readSetup({ port, seller }: OpenedMarketplace): Promise<SellerSetup> {
  const setup = await port.readSetup(seller);
  if (!setup.ok) throw marketplaceError(setup);
  return setup;
}

function setupAnswer(setup: SellerSetup): MarketplaceSetup {
  const policy = ({ id, name, isDefault }: BusinessPolicy) => ({ id, name, is_default: isDefault });
  return {
    payment_policies: setup.paymentPolicies.map(policy),
    return_policies: setup.returnPolicies.map(policy),
    fulfillment_policies: setup.fulfillmentPolicies.map(policy),
    locations: setup.locations.map(({ key, name }) => ({ key, name })),
  };
}

export const setupProcedure = session("owner")
  .output(marketplaceSetup)
  .query(async ({ ctx: { services, access } }) =>
    setupAnswer(await readSetup(await requireOpen(services, access.accountId))),
  );
