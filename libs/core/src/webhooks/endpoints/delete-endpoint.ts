import { endpointIdInput } from "@cardvault/contract";
import { dropUndelivered, markEndpointRemoved } from "@cardvault/db";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";
import { requireEndpoint } from "./endpoint-answer.ts";

/**
 * Removes an endpoint. What is still to be delivered to it is dropped and listed.
 * @throws VaultError `not_found`
 */
function deleteEndpoint(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { url } = await requireEndpoint(tx, access.accountId, id);
    const now = clock.now();
    await markEndpointRemoved(tx, access.accountId, id, now);
    await dropUndelivered(tx, id, "endpoint_removed", now);
    await writeTrail(tx, access, now, "endpoint.removed", id, { url });
  });
}

export const deleteEndpointProcedure = session("owner")
  .input(endpointIdInput)
  .mutation(({ ctx, input }) => deleteEndpoint(ctx.services, ctx.access, input.id));
