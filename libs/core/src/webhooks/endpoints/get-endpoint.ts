import { endpointIdInput, VaultError, webhookEndpoint } from "@cardvault/contract";
import type { WebhookEndpoint } from "@cardvault/contract";
import { findEndpoint } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { endpointAnswer } from "./endpoint-answer.ts";

/** @throws VaultError `not_found` */
async function getEndpoint(
  { db, clock }: Services,
  { accountId }: Access,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = isId("whe", id) ? await findEndpoint(db, accountId, id) : null;
  if (endpoint === null) throw new VaultError("not_found");
  return endpointAnswer(endpoint, clock.now());
}

export const getEndpointProcedure = session("owner")
  .input(endpointIdInput)
  .output(webhookEndpoint)
  .query(({ ctx, input }) => getEndpoint(ctx.services, ctx.access, input.id));
