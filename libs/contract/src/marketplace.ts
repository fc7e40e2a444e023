import * as z from "zod";
import { marketplaces } from "./states.ts";
import { filledText, text, timestamp } from "./text.ts";

/** Where an account sells: its connection, and what listings are made with. Sessions alone. */

/**
 * `unavailable`: the installation is not set up for it. `disconnected`: nobody has agreed yet. `revoked`: the
 * consent was withdrawn or has ended, and an owner has to connect again.
 */
export const connectionStatuses = ["unavailable", "disconnected", "connected", "revoked"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

const policyId = text(60);
const locationKey = text(60);

/** What is chosen; null where it is not yet. */
export const sellerChoices = z.strictObject({
  payment_policy_id: policyId.nullable(),
  return_policy_id: policyId.nullable(),
  fulfillment_policy_id: policyId.nullable(),
  location_key: locationKey.nullable(),
  category_id: text(20)
    .nullable()
    .meta({ description: "For cards that say neither game nor sport." }),
});

/** What is still missing before anything can be published. */
export const missingChoices = [
  "payment_policy",
  "return_policy",
  "fulfillment_policy",
  "location",
] as const;

/** `marketplace.connection`, and the answer of what changes it. */
export const marketplaceConnection = z.strictObject({
  marketplace: z.enum(marketplaces),
  status: z.enum(connectionStatuses),
  /** A test account's: simulated, connected from the start, and not to be disconnected. */
  is_sandbox: z.boolean(),
  connected_at: timestamp.nullable(),
  connected_by: z.string().nullable().meta({ description: "The person's name." }),
  consent_ends_at: timestamp
    .nullable()
    .meta({ description: "The owner has to agree again by then." }),
  revoked_at: timestamp.nullable(),
  choices: sellerChoices,
  missing: z.array(z.enum(missingChoices)),
  open_listings: z.int().min(0).meta({ description: "Publishing or live." }),
});
export type MarketplaceConnection = z.output<typeof marketplaceConnection>;

/**
 * `marketplace.connect`: send the browser to `consent_url`; it comes back to `/settings/marketplace` with
 * `outcome`, one of `consentOutcomes`. Null where nobody has to agree: a test account is connected again.
 */
export const marketplaceConnectAnswer = z.strictObject({
  consent_url: z.string().nullable(),
  connection: marketplaceConnection,
});

/** `marketplace.disconnect`: 409 `conflict` while listings are open, unless that is acknowledged. */
export const marketplaceDisconnectInput = z.strictObject({
  acknowledged: z.boolean().default(false),
});

const policy = z.strictObject({
  id: policyId,
  name: z.string(),
  is_default: z.boolean(),
});

/** `marketplace.setup`: what the seller has at the marketplace, as it is there now. */
export const marketplaceSetup = z.strictObject({
  payment_policies: z.array(policy),
  return_policies: z.array(policy),
  fulfillment_policies: z.array(policy),
  locations: z.array(z.strictObject({ key: locationKey, name: z.string() })),
});
export type MarketplaceSetup = z.output<typeof marketplaceSetup>;

/** `marketplace.saveSetup`: what is given is chosen, the rest stays; null clears. */
export const marketplaceChoicesInput = sellerChoices
  .partial()
  .refine((input) => Object.keys(input).length > 0, { message: "Give at least one choice" });
export type MarketplaceChoicesInput = z.output<typeof marketplaceChoicesInput>;

/** `marketplace.createLocation`: where parcels come from. It is chosen where none was. */
export const marketplaceLocationInput = z.strictObject({
  name: filledText(100),
  country: z.string().regex(/^[A-Z]{2}$/, "Give the country's two letters (ISO 3166-1)"),
  postal_code: filledText(20),
  city: filledText(100).optional(),
  state_or_province: filledText(60).optional(),
});
export type MarketplaceLocationInput = z.output<typeof marketplaceLocationInput>;
