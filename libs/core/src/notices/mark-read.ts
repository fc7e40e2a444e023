import { noticeMarkReadAnswer, noticeMarkReadInput } from "@cardvault/contract";
import { markNoticesRead } from "@cardvault/db";
import { session } from "../procedures.ts";

export const markNoticesReadProcedure = session()
  .input(noticeMarkReadInput)
  .output(noticeMarkReadAnswer)
  .mutation(async ({ ctx: { services, access }, input }) => ({
    marked: await markNoticesRead(
      services.db,
      access.accountId,
      input.ids ?? "all",
      services.clock.now(),
    ),
  }));
