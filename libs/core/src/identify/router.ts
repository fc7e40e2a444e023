import { router } from "../procedures.ts";
import { identifyProcedure } from "./identify.ts";
import { listIdentificationsProcedure } from "./list-identifications.ts";
import { readUsageProcedure, setBudgetProcedure } from "./provider-budget.ts";
import { undoIdentificationProcedure } from "./undo-identification.ts";

export const identificationsRouter = router({
  identify: identifyProcedure,
  list: listIdentificationsProcedure,
  undo: undoIdentificationProcedure,
  usage: readUsageProcedure,
  setBudget: setBudgetProcedure,
});
