import type { CardImport, ImportMode } from "@cardvault/contract";
import { Button, Group, SegmentedControl, Stack, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { followJob } from "../../app/jobs.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import { BatchChoiceFields, useBatchChoice } from "../import/batch-choice.tsx";
import { keepList } from "./keep-list.ts";
import { duplicateOutcomes } from "./list-words.ts";

/** What importing would do, into which batch, and doing it. */
export function StartImport({ list }: { list: CardImport }) {
  const { batch } = useSearch({ from: "/inside/import/csv" });
  const choice = useBatchChoice(batch);
  const [mode, setMode] = useState<ImportMode>("valid_rows_only");
  const { valid, invalid, duplicate, ignored } = list.verdicts;
  const worked = valid + (list.settings.duplicates === "skip" ? 0 : duplicate);
  const start = useMutation({
    async mutationFn() {
      const batchId = await choice.settle();
      if (batchId === undefined) return;
      const started = await trpcClient.imports.start.mutate({
        id: list.id,
        mode,
        ...(batchId === null ? {} : { batch_id: batchId }),
      });
      keepList(started);
      await followImport(started);
    },
  });
  const isRefused = mode === "all_or_nothing" && invalid > 0;
  return (
    <section aria-labelledby="into">
      <Title order={2} id="into" mb="xs">
        What would happen
      </Title>
      <div className="panel fact-panel">
        <Stack gap="md">
          <ul className="list-plan">
            <li>
              {counted(valid, "row")} {valid === 1 ? "is" : "are"} imported
              {list.settings.duplicates === "update" ? ", or update the card that they name" : ""}.
            </li>
            {duplicate === 0 ? null : (
              <li>
                {counted(duplicate, "duplicate")}{" "}
                {duplicateOutcomes[list.settings.duplicates][duplicate === 1 ? 0 : 1]}.
              </li>
            )}
            {invalid === 0 ? null : (
              <li>
                {counted(invalid, "invalid row")} can be downloaded, corrected and imported again.
              </li>
            )}
            {ignored === 0 ? null : (
              <li>
                {counted(ignored, "row")} without a card {ignored === 1 ? "is" : "are"} passed over.
              </li>
            )}
          </ul>
          <BatchChoiceFields choice={choice} mayBeNone />
          <Group gap="sm">
            <SegmentedControl
              size="sm"
              aria-label="What is imported"
              data={[
                { value: "valid_rows_only", label: "The valid rows" },
                { value: "all_or_nothing", label: "All or nothing" },
              ]}
              value={mode}
              onChange={(value) => setMode(value)}
            />
            <Button
              loading={start.isPending}
              disabled={
                worked === 0 || isRefused || (choice.kind === "existing" && choice.batchId === null)
              }
              onClick={() => start.mutate()}
            >
              {`Import ${counted(worked, "row")}`}
            </Button>
            {isRefused ? (
              <span className="cell-sub">
                All or nothing: {counted(invalid, "row")} {invalid === 1 ? "is" : "are"} invalid.
              </span>
            ) : null}
          </Group>
          <ProblemNote error={start.error} />
        </Stack>
      </div>
    </section>
  );
}

/** Shows the job of an import in the tray too. Without an answer it is still followed on the page. */
export async function followImport({ job_id: id }: CardImport): Promise<void> {
  if (id === null) return;
  try {
    followJob(await trpcClient.jobs.get.query({ id }));
  } catch {
    void queryClient.invalidateQueries({ queryKey: trpc.jobs.list.pathKey() });
  }
}
