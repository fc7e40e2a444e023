import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { discardEdit, editTitle, retryEdit, useEdits, valueWords } from "./edits.ts";
import type { Edit } from "./edits.ts";

/** Edits that did not get there, above the list: nothing that was typed is lost, and each says one clear thing. */
export function EditProblems() {
  const edits = useEdits().filter(({ state }) => state !== "saving");
  if (edits.length === 0) return null;
  return (
    <div className="edit-problems" role="alert">
      {edits.map((edit) => (
        <EditProblem key={`${edit.id} ${edit.field}`} edit={edit} />
      ))}
    </div>
  );
}

function EditProblem({ edit }: { edit: Edit }) {
  const { field, value, state, theirs = null, problem } = edit;
  const mine = valueWords(field, value);
  const reason = problem?.details[0]?.message ?? problem?.message ?? "";
  return (
    <div className="edit-problem">
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      <span className="wrap">
        <strong>{editTitle(edit)}</strong>{" "}
        {state === "stale"
          ? `was changed meanwhile. Yours: ${mine}. Now: ${valueWords(field, theirs)}.`
          : state === "refused"
            ? `was not changed to ${mine}: ${reason}`
            : `is not saved yet: ${mine}. ${reason}`}
        {problem === undefined || state === "stale" ? null : (
          <span className="cell-sub mono">
            {problem.code}
            {problem.requestId === null ? null : ` · ${problem.requestId}`}
          </span>
        )}
      </span>
      <span className="edit-problem-actions">
        <Button size="compact-xs" variant="default" onClick={() => discardEdit(edit)}>
          {state === "stale" ? `Keep ${valueWords(field, theirs)}` : "Discard"}
        </Button>
        {state === "refused" ? null : (
          <Button size="compact-xs" onClick={() => retryEdit(edit)}>
            {state === "stale" ? `Use ${mine}` : "Save again"}
          </Button>
        )}
      </span>
    </div>
  );
}
