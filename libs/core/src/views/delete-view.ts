import { viewIdInput } from "@cardvault/contract";
import { deleteView } from "@cardvault/db";
import { session } from "../procedures.ts";
import { requireOwnView } from "./viewer.ts";

/** Answers nothing. Errors are those of `views.update`. */
export const deleteViewProcedure = session()
  .input(viewIdInput)
  .mutation(async ({ ctx: { services, principal }, input }) => {
    await requireOwnView(services.db, principal, input.id);
    await deleteView(services.db, principal.accountId, input.id);
  });
