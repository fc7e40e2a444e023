import { marketplaceConnection } from "@cardvault/contract";
import type { MarketplaceConnection } from "@cardvault/contract";
import { countOpenListings, findConnection } from "@cardvault/db";
import type { SellerChoices, StoredConnection } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { chooseNothing } from "./choose-from-setup.ts";

type Needs = Pick<Services, "db" | "marketplaces">;

/** An account's connection as its members see it. Nothing is asked of the marketplace. */
export async function readConnection(
  { db, marketplaces }: Needs,
  { accountId, environment }: Pick<Access, "accountId" | "environment">,
): Promise<MarketplaceConnection> {
  const isSandbox = environment === "test";
  const [stored, openListings] = await Promise.all([
    findConnection(db, accountId),
    countOpenListings(db, accountId),
  ]);
  const isAvailable = (isSandbox ? marketplaces.sandbox : marketplaces.live) !== null;
  return {
    marketplace: "ebay",
    status: statusOf(stored, isAvailable, isSandbox),
    is_sandbox: isSandbox,
    connected_at: stored?.connectedAt.toISOString() ?? null,
    connected_by: stored?.connectedBy ?? null,
    consent_ends_at: stored?.refreshTokenEndsAt?.toISOString() ?? null,
    revoked_at: stored?.revokedAt?.toISOString() ?? null,
    ...choicesAnswer(stored?.choices ?? chooseNothing),
    open_listings: openListings,
  };
}

function statusOf(
  stored: StoredConnection | null,
  isAvailable: boolean,
  isSandbox: boolean,
): MarketplaceConnection["status"] {
  if (!isAvailable) return "unavailable";
  // A test account's is made when it is first needed, and is there all the same.
  return stored?.status ?? (isSandbox ? "connected" : "disconnected");
}

function choicesAnswer(choices: SellerChoices): Pick<MarketplaceConnection, "choices" | "missing"> {
  const needed = [
    ["payment_policy", choices.paymentPolicyId],
    ["return_policy", choices.returnPolicyId],
    ["fulfillment_policy", choices.fulfillmentPolicyId],
    ["location", choices.locationKey],
  ] as const;
  return {
    choices: {
      payment_policy_id: choices.paymentPolicyId,
      return_policy_id: choices.returnPolicyId,
      fulfillment_policy_id: choices.fulfillmentPolicyId,
      location_key: choices.locationKey,
      category_id: choices.categoryId,
    },
    missing: needed.filter(([, chosen]) => chosen === null).map(([name]) => name),
  };
}

export const connectionProcedure = session()
  .output(marketplaceConnection)
  .query(({ ctx }) => readConnection(ctx.services, ctx.access));
