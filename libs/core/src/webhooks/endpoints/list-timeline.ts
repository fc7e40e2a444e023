import { endpointTimelineAnswer, endpointTimelineInput, VaultError } from "@cardvault/contract";
import { findEndpoint, listEndpointTimeline } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import { session } from "../../procedures.ts";

/** @throws VaultError `not_found`, `invalid_cursor` */
async function readTimeline(
  db: Database,
  accountId: string,
  { id, ...page }: { id: string; limit: number; cursor?: string | undefined },
) {
  const endpoint = isId("whe", id) ? await findEndpoint(db, accountId, id) : null;
  if (endpoint === null) throw new VaultError("not_found");
  return listEndpointTimeline(db, accountId, id, page);
}

export const endpointTimelineProcedure = session("owner")
  .input(endpointTimelineInput)
  .output(endpointTimelineAnswer)
  .query(({ ctx, input }) => readTimeline(ctx.services.db, ctx.access.accountId, input));
