import { marketplaceConnection, marketplaceDisconnectInput, VaultError } from "@cardvault/contract";
import type { MarketplaceConnection } from "@cardvault/contract";
import { countOpenListings, deleteConnection } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";
import { readConnection } from "./connection.ts";

type Needs = Pick<Services, "db" | "clock" | "marketplaces">;

/**
 * Forgets the consent and what was chosen. Listings stay at the marketplace as they are, and nothing of
 * them is heard any more: that has to be acknowledged.
 * @throws VaultError `conflict` for a test account, an account that is not connected, or open listings
 * that were not acknowledged
 */
async function disconnectMarketplace(
  needs: Needs,
  access: Access,
  acknowledged: boolean,
): Promise<MarketplaceConnection> {
  const { db, clock } = needs;
  const { accountId, environment } = access;
  if (environment === "test") {
    throw new VaultError("conflict", { message: "A test account is always connected." });
  }
  await db.transaction(async (tx) => {
    const open = await countOpenListings(tx, accountId);
    if (open > 0 && !acknowledged) {
      const listings = open === 1 ? "1 listing is" : `${open} listings are`;
      throw new VaultError("conflict", {
        message: `${listings} still on eBay. Their sales will not be heard of.`,
        details: [{ path: "acknowledged", message: `${listings} publishing or live.` }],
      });
    }
    if (!(await deleteConnection(tx, accountId))) {
      throw new VaultError("conflict", { message: "The account is not connected to eBay." });
    }
    const details = { marketplace: "ebay", open_listings: open };
    await writeTrail(tx, access, clock.now(), "marketplace.disconnected", null, details);
  });
  return readConnection(needs, access);
}

export const disconnectProcedure = session("owner")
  .input(marketplaceDisconnectInput)
  .output(marketplaceConnection)
  .mutation(({ ctx, input }) =>
    disconnectMarketplace(ctx.services, ctx.access, input.acknowledged),
  );
