import { endpointIdInput, webhookEndpoint } from "@cardvault/contract";
import type { WebhookEndpoint } from "@cardvault/contract";
import { writeEndpoint } from "@cardvault/db";
import { switchSecretNow } from "@cardvault/domain";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";
import {
  endpointAnswer,
  requireEndpoint,
  sealedSecretsOf,
  withSecrets,
} from "./endpoint-answer.ts";

/**
 * Brings the switch of a rotation forward to now.
 * @throws VaultError `not_found`; `conflict` where no rotation is waiting.
 */
function switchEndpointSecretNow(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
): Promise<WebhookEndpoint> {
  return db.transaction(async (tx) => {
    const before = await requireEndpoint(tx, access.accountId, id);
    const now = clock.now();
    const secrets = switchSecretNow(sealedSecretsOf(before, now), now);
    const after = { ...withSecrets(before, secrets), updatedAt: now };
    await writeEndpoint(tx, access.accountId, after);
    await writeTrail(tx, access, now, "endpoint.secret_switched", id);
    return endpointAnswer(after, now);
  });
}

export const switchEndpointSecretNowProcedure = session("owner")
  .input(endpointIdInput)
  .output(webhookEndpoint)
  .mutation(({ ctx, input }) => switchEndpointSecretNow(ctx.services, ctx.access, input.id));
