import { createHash } from "node:crypto";
import { marketplaceConnection, marketplaceLocationInput } from "@cardvault/contract";
import type { MarketplaceConnection, MarketplaceLocationInput } from "@cardvault/contract";
import { writeChoices } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import { writeTrail } from "../trail.ts";
import { readConnection } from "./connection.ts";
import { marketplaceError } from "./marketplace-error.ts";
import type { MarketplaceNeeds } from "./open-marketplace.ts";
import { requireOpen } from "./setup.ts";

/**
 * Makes a location at the marketplace, for sellers who have none. The same input makes the same one again:
 * its key is made of what it is.
 * @throws VaultError `validation_failed`, `conflict`, or what the marketplace's failure is in public
 */
async function createLocation(
  needs: MarketplaceNeeds,
  access: Access,
  input: MarketplaceLocationInput,
): Promise<MarketplaceConnection> {
  const { db, clock } = needs;
  const { accountId } = access;
  const { port, seller, choices } = await requireOpen(needs, accountId);
  const location = {
    key: keyOf(input),
    name: input.name,
    country: input.country,
    postalCode: input.postal_code,
    city: input.city,
    stateOrProvince: input.state_or_province,
  };
  const made = await port.createLocation(seller, location);
  if (!made.ok) throw marketplaceError(made);
  await db.transaction(async (tx) => {
    const now = clock.now();
    if (choices.locationKey === null) {
      await writeChoices(tx, accountId, { locationKey: location.key }, now);
    }
    const { name, country, key } = location;
    await writeTrail(tx, access, now, "marketplace.location_created", null, { key, name, country });
  });
  return readConnection(needs, access);
}

function keyOf(input: MarketplaceLocationInput): string {
  const { name, country, postal_code, city = "", state_or_province = "" } = input;
  const parts = JSON.stringify([name, country, postal_code, city, state_or_province]);
  return `vault-${createHash("sha256").update(parts).digest("hex").slice(0, 16)}`;
}

export const createLocationProcedure = session("owner")
  .input(marketplaceLocationInput)
  .output(marketplaceConnection)
  .mutation(({ ctx, input }) => createLocation(ctx.services, ctx.access, input));
