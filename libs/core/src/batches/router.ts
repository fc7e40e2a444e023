import { router } from "../procedures.ts";
import { completeBatchProcedure } from "./complete-batch.ts";
import { createBatchProcedure } from "./create-batch.ts";
import { getBatchProcedure } from "./get-batch.ts";
import { listBatchCardsProcedure } from "./list-batch-cards.ts";
import { listBatchesProcedure } from "./list-batches.ts";
import { reopenBatchProcedure } from "./reopen-batch.ts";
import { updateBatchProcedure } from "./update-batch.ts";

export const batchesRouter = router({
  list: listBatchesProcedure,
  cards: listBatchCardsProcedure,
  get: getBatchProcedure,
  create: createBatchProcedure,
  update: updateBatchProcedure,
  complete: completeBatchProcedure,
  reopen: reopenBatchProcedure,
});
