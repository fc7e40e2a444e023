import { endpointMissingAnswer, endpointMissingInput, VaultError } from "@cardvault/contract";
import { findEndpoint, listMissing } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";

/** @throws VaultError `not_found`, `invalid_cursor` */
async function readMissing(
  { db }: Services,
  { accountId }: Access,
  input: { id: string; since: string; limit: number; cursor?: string | undefined },
) {
  const endpoint = isId("whe", input.id) ? await findEndpoint(db, accountId, input.id) : null;
  if (endpoint === null) throw new VaultError("not_found");
  return listMissing(db, {
    accountId,
    endpointId: endpoint.id,
    events: endpoint.events,
    since: new Date(input.since),
    limit: input.limit,
    cursor: input.cursor,
  });
}

export const listMissingProcedure = session("owner")
  .input(endpointMissingInput)
  .output(endpointMissingAnswer)
  .query(({ ctx, input }) => readMissing(ctx.services, ctx.access, input));
