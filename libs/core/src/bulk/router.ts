import { router } from "../procedures.ts";
import { patchEachProcedure } from "./patch-each.ts";
import { previewPricesProcedure } from "./preview-prices.ts";
import { startBulkProcedure } from "./start-bulk.ts";
import { undoBulkProcedure } from "./undo-bulk.ts";

export const bulkRouter = router({
  start: startBulkProcedure,
  patchEach: patchEachProcedure,
  undo: undoBulkProcedure,
  previewPrices: previewPricesProcedure,
});
