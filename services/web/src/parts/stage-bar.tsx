import "./stage-bar.css";
import type { Batch } from "@cardvault/contract";
import { workflowStatuses } from "@cardvault/contract";
import { workflowWords } from "./words.ts";

/** How many of a batch's cards are in each stage. What is left is said beside it in words. */
export function StageBar({
  batch: { counts, card_count: total },
}: {
  batch: Pick<Batch, "counts" | "card_count">;
}) {
  const words = workflowStatuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${workflowWords[status].toLowerCase()}`)
    .join(", ");
  return (
    <span className="stage-bar" title={words}>
      <span className="visually-hidden">{words || "No cards"}</span>
      {workflowStatuses.map((status) =>
        counts[status] === 0 ? null : (
          <span
            key={status}
            data-stage={status}
            style={{ width: `${(counts[status] / total) * 100}%` }}
          />
        ),
      )}
    </span>
  );
}
