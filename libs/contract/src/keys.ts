import * as z from "zod";
import { keyId } from "./ids.ts";
import { defaultRotation, rotationChoices } from "./limits.ts";
import { limitClasses, scopes } from "./states.ts";
import { filledText, timestamp } from "./text.ts";

/** The environment's prefix, 32 random base-62 characters and 6 of their CRC-32. */
export const tokenPattern = /^cv_(live|test)_[0-9A-Za-z]{38}$/;

/** `ending`: replaced by a rotation, and accepted until `expires_at`. */
export const keyStatuses = ["active", "ending", "expired", "revoked"] as const;

/** An API key as the settings screen shows it; the token itself is never shown again. */
export const apiKey = z.strictObject({
  id: keyId,
  name: filledText(100),
  status: z.enum(keyStatuses),
  prefix: z.enum(["cv_live_", "cv_test_"]),
  last_four: z.string().length(4),
  scopes: z.array(z.enum(scopes)),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
});
export type ApiKey = z.output<typeof apiKey>;

/** The one answer that holds the token. */
export const newApiKey = z.strictObject({ key: apiKey, token: z.string().regex(tokenPattern) });
export type NewApiKey = z.output<typeof newApiKey>;

export const keyListAnswer = z.strictObject({ data: z.array(apiKey) });

/** What a key has used of its limits in the last minute. */
export const keyUsage = z.strictObject({
  key_id: keyId,
  classes: z.array(
    z.strictObject({
      class: z.enum(limitClasses),
      used: z.int().min(0),
      limit: z.int().min(1).meta({ description: "Requests a minute." }),
    }),
  ),
});
export type KeyUsage = z.output<typeof keyUsage>;

/** `keys.usage` (owner): of the keys that can be used. Takes no input. */
export const keyUsageAnswer = z.strictObject({ data: z.array(keyUsage) });

/** `keys.create`. A key has every scope unless told otherwise. Answers {@link newApiKey}. */
export const keyCreateInput = z.strictObject({
  name: filledText(100),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .refine((given) => new Set(given).size === given.length, "Must not repeat a scope")
    .default([...scopes]),
});

/** `keys.rotate`: a new key now; the old one ends at the chosen moment. Answers {@link newApiKey}. */
export const keyRotateInput = z.strictObject({
  id: z.string(),
  old_ends: z.enum(rotationChoices).default(defaultRotation),
});

/** `keys.revoke`, at once. Answers the key. */
export const keyRevokeInput = z.strictObject({ id: z.string() });
