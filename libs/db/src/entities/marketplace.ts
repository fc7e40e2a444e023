import { defineEntity } from "@mikro-orm/postgresql";
import { bytes, text, time, uuid } from "./columns.ts";
import { accountReference } from "./people.ts";

export const MarketplaceConnection = defineEntity({
  name: "MarketplaceConnection",
  properties: {
    id: uuid().primary(),
    accountId: accountReference,
    marketplace: text(),
    status: text().$type<"connected" | "revoked">(),
    refreshToken: text().nullable(),
    refreshTokenEndsAt: time().nullable(),
    paymentPolicyId: text().nullable(),
    returnPolicyId: text().nullable(),
    fulfillmentPolicyId: text().nullable(),
    locationKey: text().nullable(),
    categoryId: text().nullable(),
    connectedBy: text().nullable(),
    connectedAt: time(),
    revokedAt: time().nullable(),
    updatedAt: time(),
  },
  uniques: [{ name: "marketplace_connection_key", properties: ["accountId", "marketplace"] }],
  checks: [
    {
      name: "marketplace_connection_marketplace_check",
      expression: "marketplace in ('ebay')",
    },
    {
      name: "marketplace_connection_status_check",
      expression: "status in ('connected', 'revoked')",
    },
    {
      name: "marketplace_connection_check",
      expression: "(status = 'revoked') = (revoked_at is not null)",
    },
  ],
});

export const MarketplaceConsent = defineEntity({
  name: "MarketplaceConsent",
  properties: {
    stateHash: bytes().primary(),
    accountId: accountReference,
    marketplace: text(),
    userId: text(),
    sessionId: text(),
    createdAt: time(),
    expiresAt: time(),
  },
  indexes: [{ name: "marketplace_consent_account_index", properties: "accountId" }],
  checks: [
    { name: "marketplace_consent_marketplace_check", expression: "marketplace in ('ebay')" },
  ],
});
