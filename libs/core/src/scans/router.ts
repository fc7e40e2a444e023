import { router } from "../procedures.ts";
import { findScannedProcedure } from "./find-scanned.ts";
import { listRunsProcedure } from "./list-runs.ts";
import { listScansProcedure } from "./list-scans.ts";
import { scanProcedure } from "./scan-card.ts";
import { startRunProcedure } from "./start-run.ts";
import { undoScanProcedure } from "./undo-scan.ts";

export const scansRouter = router({
  find: findScannedProcedure,
  start: startRunProcedure,
  scan: scanProcedure,
  undo: undoScanProcedure,
  list: listScansProcedure,
  runs: listRunsProcedure,
});
