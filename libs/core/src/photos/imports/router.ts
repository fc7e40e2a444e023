import { router } from "../../procedures.ts";
import { announceFilesProcedure } from "./announce-files.ts";
import { commitImportProcedure } from "./commit-import.ts";
import { createImportProcedure } from "./create-import.ts";
import { discardImportProcedure } from "./discard-import.ts";
import { editImportProcedure, pairImportProcedure } from "./edit-import.ts";
import { getImportProcedure } from "./get-import.ts";
import { listImportsProcedure } from "./list-imports.ts";
import { previewImportProcedure } from "./preview-import.ts";

export const photoImportsRouter = router({
  create: createImportProcedure,
  list: listImportsProcedure,
  get: getImportProcedure,
  announce: announceFilesProcedure,
  preview: previewImportProcedure,
  pair: pairImportProcedure,
  edit: editImportProcedure,
  commit: commitImportProcedure,
  discard: discardImportProcedure,
});
