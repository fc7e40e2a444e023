import type { Batch, CompletionCheck } from "@cardvault/contract";
import { Button, Group, Modal, Skeleton, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { offerUndo } from "../../parts/undo.tsx";
import { counted } from "../../parts/words.ts";
import { unfinishedWords } from "../batches/batch-words.ts";
import { CardsLink } from "./cards-link.tsx";

function keepBatch(batch: Batch): void {
  queryClient.setQueryData(trpc.batches.get.queryKey({ id: batch.id }), batch);
  void queryClient.invalidateQueries({ queryKey: trpc.batches.pathKey() });
}

export function useReopen(batch: Batch) {
  return useMutation({
    mutationFn: () => trpcClient.batches.reopen.mutate({ id: batch.id }),
    onSuccess(reopened) {
      keepBatch(reopened);
      notifications.show({ message: `${reopened.name} is open again.` });
    },
  });
}

/** What completing a batch would leave undone, before it is done. */
export function CompleteDialog(props: { batch: Batch; opened: boolean; onClose: () => void }) {
  const { batch, opened, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={`Complete ${batch.name}`}>
      <Completion batch={batch} onClose={onClose} />
    </Modal>
  );
}

function Completion({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const { id } = batch;
  // What stood there a moment ago is not what is acknowledged.
  const check = useQuery(trpc.batches.completionCheck.queryOptions({ id }, { staleTime: 0 }));
  const complete = useMutation({
    mutationFn: ({ acknowledged }: { acknowledged: boolean }) =>
      trpcClient.batches.complete.mutate({ id, acknowledged }),
    onSuccess(completed) {
      keepBatch(completed);
      onClose();
      offerUndo({
        message: `${completed.name} is complete.`,
        hasSentEvents: true,
        async undo() {
          keepBatch(await trpcClient.batches.reopen.mutate({ id }));
          return `${completed.name} is open again.`;
        },
      });
    },
    onError: () => void check.refetch(),
  });
  if (check.isPending) return <Skeleton height={120} aria-busy="true" />;
  if (check.data === undefined) {
    return (
      <ProblemPanel error={check.error} what="The check" onRetry={() => void check.refetch()} />
    );
  }
  const { left, blocked_by: blockedBy } = check.data;
  return (
    <Stack gap="md">
      <Found batchId={id} check={check.data} />
      <ProblemNote error={complete.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          disabled={blockedBy !== null}
          loading={complete.isPending}
          onClick={() => complete.mutate({ acknowledged: left.length > 0 })}
        >
          {left.length === 0 ? "Complete" : "Complete all the same"}
        </Button>
      </Group>
    </Stack>
  );
}

function Found({ batchId, check }: { batchId: string; check: CompletionCheck }) {
  const { left, blocked_by: blockedBy, running_jobs: running } = check;
  if (blockedBy !== null) {
    return (
      <Chip tone="bad" icon={IconAlertTriangle}>
        {blockedBy === "batch_complete"
          ? "It is complete already."
          : "A job puts cards in or takes some out. It can be completed once that has ended."}
      </Chip>
    );
  }
  return (
    <div>
      {left.length === 0 ? (
        <Chip tone="good" icon={IconCircleCheck}>
          Nothing is left to do
        </Chip>
      ) : (
        <>
          <Chip tone="warning" icon={IconAlertTriangle}>
            Something is left to do
          </Chip>
          <ul>
            {left.map(({ kind, cards }) => (
              <li key={kind}>
                {counted(cards, "card")} {unfinishedWords[kind]}
              </li>
            ))}
          </ul>
          <CardsLink batchId={batchId}>See its cards</CardsLink>
        </>
      )}
      <p className="cell-sub">
        A complete batch takes no more cards and is not edited; its cards can be. It can be reopened
        at any time. Those who listen for batch.completed are told.
        {running > 0
          ? ` ${counted(running, "job")} on its cards ${running === 1 ? "goes" : "go"} on.`
          : ""}
      </p>
    </div>
  );
}
