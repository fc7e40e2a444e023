import type { Job, JobItem } from "@cardvault/contract";
import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { followJob, useJob } from "../../app/jobs.ts";
import { trpcClient } from "../../app/trpc.ts";
import { isUnderWay } from "../../parts/job-words.ts";
import { JobProgress } from "../../parts/job-progress.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { useRequestKey } from "../../parts/request-key.ts";
import { counted } from "../../parts/words.ts";
import { sheetColumns } from "./sheet-columns.ts";
import type { SheetField } from "./sheet-columns.ts";
import { patchesOf } from "./sheet-state.ts";
import type { Patches, Refusals } from "./sheet-state.ts";
import { at } from "./sheet-keys.ts";
import type { Sheet } from "./use-sheet.ts";

const pageSize = 200;

/** Saving the sheet: one job, whose refused cards stand in the sheet again with the reason. */
export interface Saving {
  /** Cards that would be saved now. */
  count: number;
  unreadable: { id: string; column: SheetField }[];
  isPending: boolean;
  error: unknown;
  /** The last one, and what became of it. */
  jobId: string | null;
  save: () => void;
  /** Of the job: what was written is an edit no more, what was refused says why. */
  end: () => void;
}

export function useSaving(
  sheet: Sheet,
  currency: string,
  onSaved: (ids: readonly string[]) => Promise<void>,
): Saving {
  const { state, rows } = sheet;
  // Not for every cell that one goes to.
  const { patches, unreadable } = useMemo(
    () => patchesOf(state, rows, currency),
    [state, rows, currency],
  );
  const [jobId, setJobId] = useState<string | null>(null);
  const key = useRequestKey();
  const start = useMutation({
    mutationFn: async (given: Patches): Promise<{ job: Job; ids: string[] }> => {
      const job = await trpcClient.bulk.patchEach.mutate({
        patches: given,
        idempotency_key: key.keyFor(given),
      });
      return { job, ids: given.map(({ id }) => id) };
    },
    onSuccess: ({ job }) => {
      key.forget();
      followJob(job);
      setJobId(job.id);
    },
  });
  const { data: started } = start;
  const finish = useMutation({
    mutationFn: async ({ job, ids }: { job: string; ids: string[] }) => {
      const refused = await refusalsOf(job);
      await onSaved(ids);
      sheet.settle(ids, refused);
    },
  });
  const isWriting = jobId !== null && start.data?.job.id === jobId && !finish.isSuccess;
  const isPending = start.isPending || finish.isPending || (isWriting && finish.error === null);
  return {
    count: patches.length,
    unreadable,
    isPending,
    error: start.error ?? finish.error,
    jobId,
    save: () => {
      if (isPending || patches.length === 0) return;
      finish.reset();
      start.mutate(patches);
    },
    end: () => {
      if (started !== undefined) finish.mutate({ job: started.job.id, ids: started.ids });
    },
  };
}

/** Why cards of a job were refused, cell by cell where the service says which. */
async function refusalsOf(id: string): Promise<Refusals> {
  const refused = new Map<string, Partial<Record<SheetField | "row", string>>>();
  let cursor: string | null = null;
  do {
    const page: { data: JobItem[]; next_cursor: string | null } = await trpcClient.jobs.items.query(
      {
        id,
        outcome: ["failed", "skipped"],
        limit: pageSize,
        ...(cursor === null ? {} : { cursor }),
      },
    );
    for (const { card, code, message, details } of page.data) {
      const cells: Partial<Record<SheetField | "row", string>> = {};
      for (const { path, message: why } of details ?? []) {
        const column = sheetColumns.find((one) => one === path.split(".")[0]);
        cells[column ?? "row"] = why;
      }
      if (Object.keys(cells).length === 0) {
        cells.row =
          code === "precondition_failed"
            ? "Changed by somebody else meanwhile: the row shows it as it is now. Save again to write yours."
            : (message ?? code ?? "Refused");
      }
      refused.set(card.id, cells);
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return refused;
}

/** What is not saved yet, what cannot be read, and the way there. */
export function SaveBar(props: { sheet: Sheet; saving: Saving; said: string | null }) {
  const { sheet, saving, said } = props;
  const { state } = sheet;
  const bad = saving.unreadable.length;
  const refused = state.refused.size;
  const problems = bad + refused;
  function toNext(): void {
    const next = nextProblem(sheet, saving.unreadable);
    if (next !== undefined) sheet.select(at(next));
  }
  return (
    <div className="sheet-bar">
      <Group gap="xs">
        <Button
          size="xs"
          loading={saving.isPending}
          disabled={saving.count === 0}
          onClick={saving.save}
        >
          {saveWords(saving)}
        </Button>
        <Button size="xs" variant="default" disabled={state.done.length === 0} onClick={sheet.undo}>
          Undo
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={state.undone.length === 0}
          onClick={sheet.redo}
        >
          Redo
        </Button>
        {problems === 0 ? null : (
          <Button size="xs" variant="default" color="red" onClick={toNext}>
            {bad > 0
              ? `${counted(bad, "cell")} cannot be read: next`
              : `${counted(refused, "card")} refused: next`}
          </Button>
        )}
      </Group>
      <output className="cell-sub">{said}</output>
      <ProblemNote error={saving.error} />
    </div>
  );
}

function saveWords({ isPending, count }: Saving): string {
  // While it saves, what is written is an edit no more for the one, and still one for the other.
  if (isPending) return "Saving…";
  return count === 0 ? "Nothing to save" : `Save ${counted(count, "card")}`;
}

/** The first cell with a problem behind the active one, around the end of the sheet. */
function nextProblem(
  sheet: Sheet,
  unreadable: readonly { id: string; column: SheetField }[],
): { row: number; column: number } | undefined {
  const places = new Map(sheet.order.map((id, row) => [id, row]));
  const cells = unreadable.map(({ id, column }) => ({
    row: places.get(id) ?? 0,
    column: sheetColumns.indexOf(column),
  }));
  for (const [id, why] of sheet.state.refused) {
    const named = sheetColumns.findIndex((column) => why[column] !== undefined);
    const edited = sheetColumns.findIndex(
      (column) => sheet.state.edits.get(id)?.[column] !== undefined,
    );
    cells.push({ row: places.get(id) ?? 0, column: Math.max(0, named < 0 ? edited : named) });
  }
  const flat = ({ row, column }: { row: number; column: number }) =>
    row * sheetColumns.length + column;
  const sorted = cells.toSorted((one, other) => flat(one) - flat(other));
  return sorted.find((cell) => flat(cell) > flat(sheet.range.head)) ?? sorted[0];
}

/** The last save: its progress, and its undo. */
export function LastSave({ jobId, onEnd }: { jobId: string; onEnd: () => void }) {
  const job = useJob(jobId);
  const latest = useRef(onEnd);
  useEffect(() => {
    latest.current = onEnd;
  });
  // Its id, so that the end of the next one is another.
  const ended = job.data !== undefined && !isUnderWay(job.data) ? jobId : null;
  useEffect(() => {
    if (ended !== null) latest.current();
  }, [ended]);
  return job.data === undefined ? null : (
    <div className="panel last-save">
      <JobProgress job={job.data} />
    </div>
  );
}
