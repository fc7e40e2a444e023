import { randomBytes } from "node:crypto";
import {
  endpointCreateInput,
  maxEndpointsPerAccount,
  newWebhookEndpoint,
  VaultError,
} from "@cardvault/contract";
import type { EndpointCreate, NewWebhookEndpoint } from "@cardvault/contract";
import { insertEndpoint, listEndpoints, lockAccount } from "@cardvault/db";
import type { StoredEndpoint } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";
import { endpointAnswer } from "./endpoint-answer.ts";
import { requireReceiverUrl } from "./receiver-address.ts";

type Needs = Pick<Services, "db" | "clock" | "secretBox" | "config">;

/** A signing secret: `whsec_` and base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/**
 * Registers a receiver. Its secret is in the answer and, sealed, in its row.
 * @throws VaultError `validation_failed` for an address that must not be called; `conflict` for one
 * more than an account may have.
 */
export async function createEndpoint(
  { db, clock, secretBox, config }: Needs,
  access: Access,
  input: EndpointCreate,
): Promise<NewWebhookEndpoint> {
  const url = requireReceiverUrl(config, access, input.url);
  return db.transaction(async (tx) => {
    await lockAccount(tx, access.accountId);
    const present = await listEndpoints(tx, access.accountId);
    if (present.length >= maxEndpointsPerAccount) {
      throw new VaultError("conflict", {
        message: `An account has at most ${maxEndpointsPerAccount} endpoints.`,
      });
    }
    const now = clock.now();
    const id = newId("whe");
    const secret = newSigningSecret();
    const endpoint: StoredEndpoint = {
      id,
      url,
      description: input.description ?? null,
      events: input.events,
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      sealedSecret: secretBox.seal(secret, id),
      sealedNextSecret: null,
      secretSwitchAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertEndpoint(tx, access.accountId, endpoint);
    await writeTrail(tx, access, now, "endpoint.created", id, { url });
    return { endpoint: endpointAnswer(endpoint, now), secret };
  });
}

export const createEndpointProcedure = session("owner")
  .input(endpointCreateInput)
  .output(newWebhookEndpoint)
  .mutation(({ ctx, input }) => createEndpoint(ctx.services, ctx.access, input));
