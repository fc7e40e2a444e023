import { router } from "../procedures.ts";
import { previewPricesProcedure } from "./preview-prices.ts";
import { startBulkProcedure } from "./start-bulk.ts";
import { undoBulkProcedure } from "./undo-bulk.ts";

export const bulkRouter = router({
  start: startBulkProcedure,
  undo: undoBulkProcedure,
  previewPrices: previewPricesProcedure,
});
