import type { BatchesFound } from "@cardvault/contract";
import { Button, Group, Select, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";

const waitMs = 120;
const shown = 50;

const nameOf = ({ code, name }: Pick<BatchesFound["data"][number], "code" | "name">) =>
  `${code} · ${name}`;

/** One of the batches that take cards, found by code or name however many there are. */
export function BatchSelect(props: {
  label: string;
  /** For a field that says by its place what it is. */
  isLabelHidden?: boolean;
  value: string | null;
  onChange: (id: string | null) => void;
  /** Not to be chosen. */
  except?: string;
}) {
  const { label, isLabelHidden = false, value, onChange, except } = props;
  const [typed, setTyped] = useState("");
  // One that was chosen elsewhere, or stands beyond those that are found, has its name from here.
  const chosen = useQuery(
    trpc.batches.get.queryOptions({ id: value ?? "" }, { enabled: value !== null }),
  ).data;
  const chosenName = chosen === undefined || value === null ? null : nameOf(chosen);
  // The name of what is chosen stands in the field too, and is no question.
  const [text] = useDebouncedValue(typed === chosenName ? "" : typed.trim(), waitMs);
  const found = useQuery(
    trpc.batches.find.queryOptions(
      { text, status: ["open", "processing"], limit: shown },
      { placeholderData: keepPreviousData },
    ),
  );
  const others = (found.data?.data ?? []).filter(({ id }) => id !== except);
  const options = others.map((batch) => ({ value: batch.id, label: nameOf(batch) }));
  if (value !== null && chosenName !== null && !options.some((option) => option.value === value)) {
    options.push({ value, label: chosenName });
  }
  const isNone = found.isSuccess && text === "" && options.length === 0;
  const more = (found.data?.count ?? 0) - (found.data?.data.length ?? 0);
  return (
    <Stack gap={4} flex={1} miw={180}>
      <Select
        label={isLabelHidden ? undefined : label}
        aria-label={isLabelHidden ? label : undefined}
        placeholder={
          isNone
            ? except === undefined
              ? "There is no open batch"
              : "There is no other open batch"
            : "Choose a batch"
        }
        searchable
        data={options}
        filter={({ options: all }) => all}
        nothingFoundMessage={found.isSuccess ? "No open batch has this code or name" : undefined}
        description={
          more > 0 && text === ""
            ? `The newest stand in the list; type a code or name to find one of ${more.toLocaleString()} more.`
            : undefined
        }
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={value}
        onChange={onChange}
        searchValue={typed}
        onSearchChange={setTyped}
      />
      {found.isError ? (
        <Group gap="xs">
          <ProblemNote error={found.error} />
          <Button size="compact-xs" variant="default" onClick={() => void found.refetch()}>
            Retry
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}
