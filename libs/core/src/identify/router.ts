import { router } from "../procedures.ts";
import { identifyProcedure } from "./identify.ts";
import { listIdentificationsProcedure } from "./list-identifications.ts";
import { undoIdentificationProcedure } from "./undo-identification.ts";

export const identificationsRouter = router({
  identify: identifyProcedure,
  list: listIdentificationsProcedure,
  undo: undoIdentificationProcedure,
});
