import { router } from "../procedures.ts";
import { completionCheckProcedure } from "./check-completion.ts";
import { completeBatchProcedure } from "./complete-batch.ts";
import { createBatchProcedure } from "./create-batch.ts";
import { findBatchesProcedure } from "./find-batches.ts";
import { getBatchProcedure } from "./get-batch.ts";
import { listBatchCardsProcedure } from "./list-batch-cards.ts";
import { listBatchesProcedure } from "./list-batches.ts";
import { previewCostProcedure } from "./preview-cost.ts";
import { batchProgressProcedure } from "./read-progress.ts";
import { reopenBatchProcedure } from "./reopen-batch.ts";
import { spreadCostProcedure } from "./spread-cost.ts";
import { updateBatchProcedure } from "./update-batch.ts";

export const batchesRouter = router({
  list: listBatchesProcedure,
  find: findBatchesProcedure,
  cards: listBatchCardsProcedure,
  get: getBatchProcedure,
  create: createBatchProcedure,
  update: updateBatchProcedure,
  complete: completeBatchProcedure,
  reopen: reopenBatchProcedure,
  progress: batchProgressProcedure,
  completionCheck: completionCheckProcedure,
  previewCost: previewCostProcedure,
  spreadCost: spreadCostProcedure,
});
