import type { Database } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import type { WorkHandler } from "../work/handler.ts";
import { importCheckHandler } from "./check-import.ts";
import { importCommitHandler } from "./commit-import.ts";
import { importCheckKind, importCommitKind, importUndoKind } from "./import-job.ts";
import { importUndoHandler } from "./undo-rows.ts";

/** What the worker runs of imports, by kind. */
export function importHandlers(needs: { db: Database; clock: Clock }): [string, WorkHandler][] {
  return [
    [importCheckKind, importCheckHandler(needs)],
    [importCommitKind, importCommitHandler(needs)],
    [importUndoKind, importUndoHandler(needs)],
  ];
}
