import { accountSettings, accountSettingsUpdate, VaultError } from "@cardvault/contract";
import type { AccountSettingsAnswer } from "@cardvault/contract";
import { findSettings, lockAccount, writeSettings } from "@cardvault/db";
import type { AccountSettings, Queryable } from "@cardvault/db";
import { requireSkuFormat } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { requireTemplates } from "../listings/templates/require-templates.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

async function readSettings(db: Queryable, access: Access): Promise<AccountSettingsAnswer> {
  const settings = await findSettings(db, access.accountId);
  if (settings === null) throw new VaultError("not_found");
  return {
    name: settings.name,
    sku_format: settings.skuFormat,
    location_separator: settings.locationSeparator,
    review_threshold: settings.reviewThreshold,
    high_value_limit:
      settings.highValueLimit === null
        ? null
        : { amount: settings.highValueLimit, currency: access.currency },
    title_template: settings.titleTemplate,
    description_template: settings.descriptionTemplate,
  };
}

/**
 * Changes the settings that are given.
 * @throws VaultError `validation_failed` for a SKU format that could give two cards the same
 * SKU, for an amount in another currency than the account's, and for templates with unknown placeholders.
 */
function updateSettings(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  changes: { [Name in keyof AccountSettingsAnswer]?: AccountSettingsAnswer[Name] | undefined },
): Promise<AccountSettingsAnswer> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, access.accountId);
    const before = await readSettings(tx, access);
    const given = Object.fromEntries(
      Object.entries(changes).filter(([, value]) => value !== undefined),
    );
    const after: AccountSettingsAnswer = { ...before, ...given };
    if (after.high_value_limit !== null && after.high_value_limit.currency !== access.currency) {
      throw new VaultError("validation_failed", {
        details: [{ path: "high_value_limit.currency", message: `Must be ${access.currency}` }],
      });
    }
    requireSkuFormat(after.sku_format);
    const { title_template, description_template } = after;
    requireTemplates({ title_template, description_template });
    await writeSettings(tx, access.accountId, storedFrom(after));
    const now = clock.now();
    await writeTrail(tx, access, now, "account.settings_changed", access.accountId, given);
    return after;
  });
}

function storedFrom(settings: AccountSettingsAnswer): AccountSettings {
  return {
    name: settings.name,
    skuFormat: settings.sku_format,
    locationSeparator: settings.location_separator,
    reviewThreshold: settings.review_threshold,
    highValueLimit: settings.high_value_limit?.amount ?? null,
    titleTemplate: settings.title_template,
    descriptionTemplate: settings.description_template,
  };
}

export const getSettingsProcedure = session()
  .output(accountSettings)
  .query(({ ctx }) => readSettings(ctx.services.db, ctx.access));

export const updateSettingsProcedure = session("owner")
  .input(accountSettingsUpdate)
  .output(accountSettings)
  .mutation(({ ctx, input }) => updateSettings(ctx.services, ctx.access, input));
