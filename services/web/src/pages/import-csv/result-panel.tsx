import type { CardImport } from "@cardvault/contract";
import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { IconAlertTriangle, IconArrowBackUp, IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import { keepList } from "./keep-list.ts";
import { followImport } from "./start-import.tsx";

/** What became of an import, and taking it back. */
export function ResultPanel({ list }: { list: CardImport }) {
  const [isAsking, setIsAsking] = useState(false);
  const undo = useMutation({
    mutationFn: () => trpcClient.imports.undo.mutate({ id: list.id }),
    async onSuccess(after) {
      keepList(after);
      setIsAsking(false);
      await followImport(after);
    },
  });
  const goOn = useMutation({
    mutationFn: () =>
      trpcClient.imports.start.mutate({ id: list.id, mode: list.mode ?? "valid_rows_only" }),
    async onSuccess(after) {
      keepList(after);
      await followImport(after);
    },
  });
  const { created, updated, added } = list.outcomes;
  const changed = created + updated + added;
  return (
    <div className="panel fact-panel">
      <Group gap="sm">
        {list.status === "imported" ? (
          <Chip tone="good" icon={IconCircleCheck}>{`Imported: ${changedWords(list)}`}</Chip>
        ) : list.status === "undone" ? (
          <Chip tone="quiet" icon={IconArrowBackUp}>
            {`Taken back: ${counted(list.outcomes.undone, "row")}${list.outcomes.kept > 0 ? `, ${list.outcomes.kept} kept` : ""}`}
          </Chip>
        ) : (
          <Chip tone="warning" icon={IconAlertTriangle}>
            {`Stopped on the way: ${changedWords(list)}`}
          </Chip>
        )}
        {list.batch_id === null ? null : (
          <LinkButton
            to="/inventory/batches/$id"
            params={{ id: list.batch_id }}
            variant={list.status === "imported" ? "filled" : "default"}
          >
            Open the batch
          </LinkButton>
        )}
        {list.status === "stopped" ? (
          <Button loading={goOn.isPending} onClick={() => goOn.mutate()}>
            Go on
          </Button>
        ) : null}
        {list.status !== "undone" && changed > 0 ? (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            Undo the import…
          </Button>
        ) : null}
      </Group>
      <ProblemNote error={goOn.error} />
      <ConfirmDialog
        opened={isAsking}
        title="Undo this import"
        confirm="Undo the import"
        isPending={undo.isPending}
        error={undo.error}
        onConfirm={() => undo.mutate()}
        onClose={() => setIsAsking(false)}
      >
        Cards that it made are archived and their SKUs freed; cards that it changed get back what
        they had. What has changed since is kept, with the reason at its row. Events already sent
        stay sent.
      </ConfirmDialog>
    </div>
  );
}

function changedWords({ outcomes }: CardImport): string {
  const { created, updated, added, failed } = outcomes;
  return [
    `${counted(created, "card")} made`,
    updated > 0 ? `${updated.toLocaleString()} updated` : null,
    added > 0 ? `copies added to ${added.toLocaleString()}` : null,
    failed > 0 ? `${failed.toLocaleString()} failed` : null,
  ]
    .filter((part) => part !== null)
    .join(", ");
}
