import { marketplaceChoicesInput, marketplaceConnection, VaultError } from "@cardvault/contract";
import type {
  ErrorDetail,
  MarketplaceChoicesInput,
  MarketplaceConnection,
} from "@cardvault/contract";
import { writeChoices } from "@cardvault/db";
import type { SellerChoices } from "@cardvault/db";
import type { SellerSetup } from "@cardvault/providers";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import { writeTrail } from "../trail.ts";
import { readConnection } from "./connection.ts";
import { marketplaceError } from "./marketplace-error.ts";
import type { MarketplaceNeeds } from "./open-marketplace.ts";
import { readSetup, requireOpen } from "./setup.ts";

/**
 * Chooses what listings are made with, out of what the seller has at the marketplace.
 * @throws VaultError `validation_failed` for what is not there; `conflict`
 */
async function saveSetup(
  needs: MarketplaceNeeds,
  access: Access,
  input: MarketplaceChoicesInput,
): Promise<MarketplaceConnection> {
  const { db, clock } = needs;
  const { accountId } = access;
  const opened = await requireOpen(needs, accountId);
  requireOffered(await readSetup(opened), input);
  if (input.category_id != null) {
    const category = await opened.port.readCategory(opened.seller, input.category_id);
    if (!category.ok) throw marketplaceError(category);
  }
  await db.transaction(async (tx) => {
    const now = clock.now();
    if (!(await writeChoices(tx, accountId, choicesOf(input), now))) {
      throw new VaultError("conflict", { message: "The account is not connected to eBay." });
    }
    await writeTrail(tx, access, now, "marketplace.setup_changed", null, { ...input });
  });
  return readConnection(needs, access);
}

function requireOffered(setup: SellerSetup, input: MarketplaceChoicesInput): void {
  const offered = {
    payment_policy_id: setup.paymentPolicies.map(({ id }) => id),
    return_policy_id: setup.returnPolicies.map(({ id }) => id),
    fulfillment_policy_id: setup.fulfillmentPolicies.map(({ id }) => id),
    location_key: setup.locations.map(({ key }) => key),
  } as const;
  const details: ErrorDetail[] = Object.entries(offered).flatMap(([path, ids]) => {
    const given = input[path as keyof typeof offered];
    return given == null || ids.includes(given)
      ? []
      : [{ path, message: "The eBay account has none of this id." }];
  });
  if (details.length > 0) throw new VaultError("validation_failed", { details });
}

function choicesOf(input: MarketplaceChoicesInput): Partial<SellerChoices> {
  const given: [keyof SellerChoices, string | null | undefined][] = [
    ["paymentPolicyId", input.payment_policy_id],
    ["returnPolicyId", input.return_policy_id],
    ["fulfillmentPolicyId", input.fulfillment_policy_id],
    ["locationKey", input.location_key],
    ["categoryId", input.category_id],
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

export const saveSetupProcedure = session("owner")
  .input(marketplaceChoicesInput)
  .output(marketplaceConnection)
  .mutation(({ ctx, input }) => saveSetup(ctx.services, ctx.access, input));
