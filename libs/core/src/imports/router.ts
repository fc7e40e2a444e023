import { router } from "../procedures.ts";
import { getImportProcedure, listImportsProcedure } from "./find-import.ts";
import { listImportRowsProcedure } from "./list-rows.ts";
import { previewImportProcedure } from "./preview-import.ts";
import {
  deleteMappingProcedure,
  listMappingsProcedure,
  saveMappingProcedure,
} from "./saved-mappings.ts";
import { startImportProcedure } from "./start-import.ts";
import { undoImportProcedure } from "./undo-import.ts";

export const importsRouter = router({
  list: listImportsProcedure,
  get: getImportProcedure,
  preview: previewImportProcedure,
  rows: listImportRowsProcedure,
  start: startImportProcedure,
  undo: undoImportProcedure,
  mappings: router({
    list: listMappingsProcedure,
    save: saveMappingProcedure,
    delete: deleteMappingProcedure,
  }),
});
