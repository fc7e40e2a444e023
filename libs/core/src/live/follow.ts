import { liveInput } from "@cardvault/contract";
import { VaultError } from "@cardvault/contract";
import { TRPCError } from "@trpc/server";
import { trpcCodeOf } from "../errors.ts";
import { session } from "../procedures.ts";
import { followAccount } from "./follow-account.ts";

export const followProcedure = session()
  .input(liveInput)
  .subscription(async function* ({ ctx, input, signal }) {
    const { services, principal, recheck } = ctx;
    const lastEventId = input?.lastEventId ?? undefined;
    try {
      yield* followAccount({ live: services.live, principal, recheck, lastEventId, signal });
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      // By this code a client decides whether to come again.
      throw new TRPCError({
        code: trpcCodeOf(error.status),
        message: error.message,
        cause: error,
      });
    }
  });
