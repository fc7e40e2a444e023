import "./stage-mark.css";
import type { WorkflowStatus } from "@cardvault/contract";
import { workflowWords } from "./words.ts";

/** As `WorkflowChip`, in one element: for cells of which a screen has many. */
export function StageMark({ status }: { status: WorkflowStatus }) {
  return (
    <span className="stage-mark" data-stage={status}>
      {workflowWords[status]}
    </span>
  );
}
