import { renamePersonAnswer, renamePersonInput } from "@cardvault/contract";
import { writePersonName } from "@cardvault/db";
import { personal } from "../procedures.ts";

export const renamePersonProcedure = personal
  .input(renamePersonInput)
  .output(renamePersonAnswer)
  .mutation(async ({ ctx: { services, principal }, input: { name } }) => {
    const { userId: id, userEmail: email } = principal;
    await writePersonName(services.db, id, name, services.clock.now());
    return { id, name, email };
  });
