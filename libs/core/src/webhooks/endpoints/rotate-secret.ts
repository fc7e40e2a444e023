import { endpointRotateInput, newWebhookEndpoint } from "@cardvault/contract";
import type { NewWebhookEndpoint, RotationChoice } from "@cardvault/contract";
import { writeEndpoint } from "@cardvault/db";
import { rotateSecret } from "@cardvault/domain";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";
import { newSigningSecret } from "./create-endpoint.ts";
import {
  endpointAnswer,
  requireEndpoint,
  sealedSecretsOf,
  withSecrets,
} from "./endpoint-answer.ts";

/**
 * Shows a new signing secret now; the old one signs until the chosen moment.
 * @throws VaultError `not_found`; `conflict` while a rotation waits for its moment.
 */
function rotateEndpointSecret(
  { db, clock, secretBox }: Pick<Services, "db" | "clock" | "secretBox">,
  access: Access,
  input: { id: string; switch: RotationChoice },
): Promise<NewWebhookEndpoint> {
  return db.transaction(async (tx) => {
    const before = await requireEndpoint(tx, access.accountId, input.id);
    const now = clock.now();
    const secret = newSigningSecret();
    const sealed = secretBox.seal(secret, before.id);
    const secrets = rotateSecret(sealedSecretsOf(before, now), sealed, input.switch, now);
    const after = { ...withSecrets(before, secrets), updatedAt: now };
    await writeEndpoint(tx, access.accountId, after);
    await writeTrail(tx, access, now, "endpoint.secret_rotated", before.id, {
      switch: input.switch,
    });
    return { endpoint: endpointAnswer(after, now), secret };
  });
}

export const rotateEndpointSecretProcedure = session("owner")
  .input(endpointRotateInput)
  .output(newWebhookEndpoint)
  .mutation(({ ctx, input }) => rotateEndpointSecret(ctx.services, ctx.access, input));
