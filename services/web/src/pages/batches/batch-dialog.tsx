import type { Batch } from "@cardvault/contract";
import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { problemOf } from "../../app/problem.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { changedMembers, readOf, StaleFields, useStaleForm } from "../../parts/stale-form.tsx";
import {
  BatchDefaultFields,
  batchErrors,
  batchFieldWords,
  BatchFields,
  batchOf,
  textsOfBatch,
  useBatchForm,
  useCurrency,
} from "./batch-form.tsx";
import type { BatchTexts } from "./batch-form.tsx";

type Handlers = { onClose: () => void; onSaved: (batch: Batch) => void };

/** Makes a batch, or edits the given one. */
export function BatchDialog(props: Handlers & { opened: boolean; batch: Batch | null }) {
  const { opened, batch, onClose, onSaved } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={batch === null ? "New batch" : `Edit ${batch.name}`}
    >
      <BatchEditor batch={batch} onClose={onClose} onSaved={onSaved} />
    </Modal>
  );
}

function BatchEditor({ batch, onClose, onSaved }: Handlers & { batch: Batch | null }) {
  const currency = useCurrency();
  const form = useBatchForm(batch, currency);
  const stale = useStaleForm(form, batch, textsOfBatch);
  const save = useMutation({
    mutationFn: (texts: BatchTexts) =>
      batch === null
        ? trpcClient.batches.create.mutate(batchOf(texts, currency))
        : stale.save(
            texts,
            (values, read) => update(values, read ?? batch, currency),
            () => trpcClient.batches.get.query({ id: batch.id }),
          ),
    onSuccess(saved) {
      queryClient.setQueryData(trpc.batches.get.queryKey({ id: saved.id }), saved);
      void queryClient.invalidateQueries({ queryKey: trpc.batches.pathKey() });
      onSaved(saved);
    },
    onError: (error) => form.setErrors(batchErrors(problemOf(error).details)),
  });
  return (
    <form onSubmit={form.onSubmit((texts) => save.mutate(texts))} noValidate>
      <Stack gap="md">
        <BatchFields form={form} currency={currency} />
        <BatchDefaultFields form={form} currency={currency} />
        <StaleFields stale={stale} values={form.values} words={batchFieldWords} />
        <ProblemNote error={stale.errorOf(save.error)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={stale.clashes.length > 0}>
            {batch === null ? "Make batch" : "Save"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Writes what is another than what was read, as long as that still stands there. */
async function update(texts: BatchTexts, read: Batch, currency: string): Promise<Batch> {
  const written = changedMembers(batchOf(texts, currency), batchOf(textsOfBatch(read), currency));
  if (Object.keys(written).length === 0) return read;
  return trpcClient.batches.update.mutate({
    id: read.id,
    ...written,
    expected: readOf(read, written),
  });
}
