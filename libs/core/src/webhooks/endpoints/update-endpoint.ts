import { endpointUpdateInput, webhookEndpoint } from "@cardvault/contract";
import type { EndpointUpdate, WebhookEndpoint } from "@cardvault/contract";
import { dropUndelivered, forgetFailures, writeEndpoint } from "@cardvault/db";
import type { StoredEndpoint } from "@cardvault/db";
import { requireAsRead } from "../../as-read.ts";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";
import { endpointAnswer, requireEndpoint } from "./endpoint-answer.ts";
import { requireReceiverUrl } from "./receiver-address.ts";

/**
 * Changes what is given. Disabling an endpoint drops what is still to be delivered to it, visibly.
 * @throws VaultError `not_found`; `validation_failed` for an address that must not be called;
 * `precondition_failed` where a member is not what was expected of it.
 */
export function updateEndpoint(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  access: Access,
  { id, expected, ...changes }: EndpointUpdate,
): Promise<WebhookEndpoint> {
  return db.transaction(async (tx) => {
    const before = await requireEndpoint(tx, access.accountId, id);
    requireAsRead({ ...before, events: [...before.events] }, expected, "endpoint");
    const now = clock.now();
    const after: StoredEndpoint = {
      ...before,
      url: changes.url === undefined ? before.url : requireReceiverUrl(config, access, changes.url),
      description: changes.description === undefined ? before.description : changes.description,
      events: changes.events ?? before.events,
      ...switched(before, changes.enabled, now),
      updatedAt: now,
    };
    await writeEndpoint(tx, access.accountId, after);
    if (before.enabled && !after.enabled) await dropUndelivered(tx, id, "endpoint_disabled", now);
    if (!before.enabled && after.enabled) await forgetFailures(tx, id, now);
    await writeTrail(tx, access, now, "endpoint.updated", id, changes);
    return endpointAnswer(after, now);
  });
}

/** On or off, and since when and why it is off; naming what it is already changes nothing. */
function switched(
  before: StoredEndpoint,
  enabled: boolean | undefined,
  now: Date,
): Pick<StoredEndpoint, "enabled" | "disabledReason" | "disabledAt"> {
  if (enabled === undefined || enabled === before.enabled) {
    const { disabledReason, disabledAt } = before;
    return { enabled: before.enabled, disabledReason, disabledAt };
  }
  return enabled
    ? { enabled, disabledReason: null, disabledAt: null }
    : { enabled, disabledReason: "by_hand", disabledAt: now };
}

export const updateEndpointProcedure = session("owner")
  .input(endpointUpdateInput)
  .output(webhookEndpoint)
  .mutation(({ ctx, input }) => updateEndpoint(ctx.services, ctx.access, input));
