import { markPulledAnswer, markPulledInput } from "@cardvault/contract";
import { liveChannel, markPulled } from "@cardvault/db";
import { session } from "../procedures.ts";

export const markPulledProcedure = session()
  .input(markPulledInput)
  .output(markPulledAnswer)
  .mutation(async ({ ctx: { services, access }, input: { ids, pulled } }) => {
    const { db, clock } = services;
    const { accountId, actor } = access;
    const mark = pulled ? { at: clock.now(), by: actor.id } : null;
    const changed = await markPulled(db, accountId, ids, mark);
    if (changed.length > 0) db.notify(liveChannel, accountId);
    return { ids: changed };
  });
