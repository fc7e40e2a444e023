import type { CategoryNeeds, SellerStanding } from "@cardvault/domain";
import { cardCategories } from "@cardvault/domain";
import type { MarketplaceNeeds } from "../open-marketplace.ts";
import { openMarketplace } from "../open-marketplace.ts";

/** What an account has set up at its marketplace, and what that asks for, as the checks want to know it. */
export interface SellerFacts {
  standing: SellerStanding;
  /** For cards that say neither game nor sport. */
  defaultCategoryId: string | null;
  /** Null where the marketplace could not be asked. */
  needsOf(categoryId: string): CategoryNeeds | null;
}

/** A request waits no longer for what the marketplace asks for: the job that publishes meets it anyway. */
const askForMs = 2_500;

/**
 * The rules of all categories that cards go to, so that none has to be asked for while the account's clock
 * is held. The adapter keeps them for hours.
 */
export async function readSellerFacts(
  needs: MarketplaceNeeds,
  accountId: string,
): Promise<SellerFacts> {
  const opened = await openMarketplace(needs, accountId);
  if (!opened.isOpen) {
    return { standing: notConnected(opened.message), defaultCategoryId: null, needsOf: () => null };
  }
  const { port, seller, choices } = opened;
  const categories = new Set<string>(Object.values(cardCategories));
  if (choices.categoryId !== null) categories.add(choices.categoryId);
  const signal = AbortSignal.timeout(askForMs);
  const rules = await Promise.all(
    [...categories].map(async (id) => {
      const found = await port.readCategory(seller, id, signal);
      return [id, found.ok ? found : null] as const;
    }),
  );
  const known = new Map(rules);
  return {
    standing: {
      notConnected: null,
      hasPaymentPolicy: choices.paymentPolicyId !== null,
      hasReturnPolicy: choices.returnPolicyId !== null,
      hasFulfillmentPolicy: choices.fulfillmentPolicyId !== null,
      hasLocation: choices.locationKey !== null,
    },
    defaultCategoryId: choices.categoryId,
    needsOf: (categoryId) => known.get(categoryId) ?? null,
  };
}

function notConnected(message: string): SellerStanding {
  return {
    notConnected: message,
    hasPaymentPolicy: false,
    hasReturnPolicy: false,
    hasFulfillmentPolicy: false,
    hasLocation: false,
  };
}
