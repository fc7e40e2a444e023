import { Collapse, Group, SegmentedControl, Stack, TextInput, Button } from "@mantine/core";
import { useState } from "react";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { BatchDefaultFields, batchOf, useBatchForm, useCurrency } from "../batches/batch-form.tsx";
import type { BatchForm } from "../batches/batch-form.tsx";
import { BatchSelect } from "../batches/batch-select.tsx";

type BatchKind = "new" | "existing" | "none";

interface BatchChoice {
  kind: BatchKind;
  setKind: (kind: BatchKind) => void;
  /** The existing one. */
  batchId: string | null;
  setBatchId: (id: string | null) => void;
  form: BatchForm;
  currency: string;
  /** Makes the batch where it is a new one. Answers its id, null for none, undefined where it is not said. */
  settle: () => Promise<string | null | undefined>;
}

const maxNameLength = 120;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** `Cards of Nov 21, 2026`, for a batch that nobody named. */
function nameOfToday(): string {
  return `Cards of ${day.format(new Date())}`;
}

/** Into which batch cards go. @param batchId chosen from the beginning */
export function useBatchChoice(batchId: string | undefined): BatchChoice {
  const currency = useCurrency();
  const form = useBatchForm(null, currency);
  const [kind, setKind] = useState<BatchKind>(batchId === undefined ? "new" : "existing");
  const [chosen, setBatchId] = useState<string | null>(batchId ?? null);
  const fallback = nameOfToday();
  return {
    kind,
    setKind,
    batchId: chosen,
    setBatchId,
    form,
    currency,
    async settle() {
      if (kind === "none") return null;
      if (kind === "existing") return chosen ?? undefined;
      const name = form.values.name.trim() === "" ? fallback : form.values.name;
      form.setFieldValue("name", name);
      if (form.validateField("floor").hasError) return undefined;
      const batch = await trpcClient.batches.create.mutate(
        batchOf({ ...form.values, name }, currency),
      );
      void queryClient.invalidateQueries({ queryKey: trpc.batches.pathKey() });
      // A second try, say because the next call failed, goes into the same batch.
      setKind("existing");
      setBatchId(batch.id);
      return batch.id;
    },
  };
}

/** A new batch with what its cards have in common, one that there is, or none. */
export function BatchChoiceFields(props: { choice: BatchChoice; mayBeNone?: boolean }) {
  const { choice, mayBeNone = false } = props;
  const [areDefaultsShown, setAreDefaultsShown] = useState(false);
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SegmentedControl
          size="sm"
          aria-label="Into which batch"
          data={[
            { value: "new", label: "New batch" },
            { value: "existing", label: "Existing batch" },
            ...(mayBeNone ? [{ value: "none", label: "No batch" }] : []),
          ]}
          value={choice.kind}
          onChange={(kind) => choice.setKind(kind as BatchKind)}
        />
        {choice.kind === "new" ? (
          <>
            <TextInput
              flex={1}
              miw={180}
              aria-label="Name of the new batch"
              placeholder={nameOfToday()}
              maxLength={maxNameLength}
              {...choice.form.getInputProps("name")}
            />
            <Button
              variant="default"
              aria-expanded={areDefaultsShown}
              onClick={() => setAreDefaultsShown((before) => !before)}
            >
              What cards start with
            </Button>
          </>
        ) : choice.kind === "existing" ? (
          <BatchSelect
            label="Batch"
            isLabelHidden
            value={choice.batchId}
            onChange={choice.setBatchId}
          />
        ) : null}
      </Group>
      {choice.kind === "new" ? (
        <Collapse expanded={areDefaultsShown}>
          <BatchDefaultFields form={choice.form} currency={choice.currency} />
        </Collapse>
      ) : null}
    </Stack>
  );
}
