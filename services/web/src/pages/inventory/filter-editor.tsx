import type { CardFilter } from "@cardvault/contract";
import { Button, Checkbox, Group, Radio, Stack, TagsInput, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { amountText, readAmount } from "../../parts/card-fields-money.ts";
import type { FilterKind } from "../../parts/card-filter.ts";

interface EditorProps {
  kind: FilterKind;
  filter: CardFilter;
  currency: string;
  onChange: (members: Partial<Record<keyof CardFilter, unknown>>) => void;
  onDone: () => void;
}

/** The form of one filter. What can be chosen takes effect at once, what is typed with Enter. */
export function FilterEditor({ kind, ...props }: EditorProps) {
  const { filter, onChange } = props;
  switch (kind.kind) {
    case "choices": {
      const chosen = (filter[kind.member] ?? []) as readonly string[];
      return (
        <Checkbox.Group
          label={kind.label}
          value={[...chosen]}
          onChange={(values) =>
            onChange({ [kind.member]: values.length === 0 ? undefined : values })
          }
        >
          <Stack gap={8} mt={8}>
            {kind.choices.map(({ value, label }, index) => (
              <Checkbox key={value} value={value} label={label} data-autofocus={index === 0} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    }
    case "flag": {
      const value = filter[kind.member];
      return (
        <Radio.Group
          label={kind.label}
          value={value === undefined ? "" : String(value)}
          onChange={(chosen) => onChange({ [kind.member]: chosen === "true" })}
        >
          <Stack gap={8} mt={8}>
            <Radio size="xs" value="true" label={kind.yes} data-autofocus />
            <Radio size="xs" value="false" label={kind.no} />
          </Stack>
        </Radio.Group>
      );
    }
    case "words":
      return <WordsEditor kind={kind} {...props} />;
    case "text":
      return <TextEditor kind={kind} {...props} />;
    case "range":
      return <RangeEditor kind={kind} {...props} />;
    case "days":
      return <DaysEditor kind={kind} {...props} />;
  }
}

type KindOf<Kind extends FilterKind["kind"]> = Extract<FilterKind, { kind: Kind }>;
type PropsOf<Kind extends FilterKind["kind"]> = Omit<EditorProps, "kind"> & { kind: KindOf<Kind> };

const restMs = 120;

function WordsEditor({ kind, filter, onChange }: PropsOf<"words">) {
  const [typed, setTyped] = useState("");
  const [settled] = useDebouncedValue(typed.trim(), restMs);
  const places = useQuery(
    trpc.locations.suggest.queryOptions(
      { text: settled, limit: 20 },
      { enabled: kind.from === "places", placeholderData: keepPreviousData },
    ),
  );
  const batches = useQuery(
    trpc.batches.list.queryOptions({ limit: 200 }, { enabled: kind.from === "batches" }),
  );
  const suggestions = [
    ...(places.data?.data ?? []).map(({ path }) => path),
    ...(batches.data?.data ?? []).map(({ code }) => code),
  ];
  return (
    <TagsInput
      label={kind.label}
      description={kind.hint ?? "Enter adds one; any of them matches"}
      size="sm"
      maxTags={50}
      data-autofocus
      data={[...new Set(suggestions)]}
      searchValue={typed}
      onSearchChange={setTyped}
      value={[...((filter[kind.member] ?? []) as readonly string[])]}
      onChange={(values) => onChange({ [kind.member]: values.length === 0 ? undefined : values })}
    />
  );
}

function TextEditor({ kind, filter, onChange, onDone }: PropsOf<"text">) {
  const [typed, setTyped] = useState(filter[kind.member] ?? "");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ [kind.member]: typed.trim() === "" ? undefined : typed.trim() });
        onDone();
      }}
    >
      <TextInput
        label={kind.label}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Apply />
    </form>
  );
}

function Apply() {
  return (
    <Button type="submit" size="compact-sm" mt="xs">
      Apply
    </Button>
  );
}

function RangeEditor({ kind, filter, currency, onChange, onDone }: PropsOf<"range">) {
  const isMoney = kind.unit === "money";
  const shown = (value: number | undefined) => {
    if (value === undefined) return "";
    return isMoney ? amountText({ amount: value, currency }) : String(value);
  };
  const [min, setMin] = useState(shown(filter[kind.min]));
  const [max, setMax] = useState(shown(filter[kind.max]));
  const [problem, setProblem] = useState<string | null>(null);
  const read = (typed: string): number | undefined => {
    if (typed.trim() === "") return undefined;
    if (!isMoney) {
      if (!/^\d{1,9}$/.test(typed.trim())) throw new RangeError("A whole number");
      return Number(typed.trim());
    }
    const amount = readAmount(typed, currency, 0);
    if (amount.problem !== undefined) throw new RangeError(amount.problem);
    return amount.value.amount;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        try {
          onChange({ [kind.min]: read(min), [kind.max]: read(max) });
          onDone();
        } catch (error) {
          setProblem(error instanceof RangeError ? error.message : null);
        }
      }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          label={isMoney ? `From (${currency})` : "From"}
          inputMode="decimal"
          data-autofocus
          value={min}
          onChange={(event) => setMin(event.currentTarget.value)}
        />
        <TextInput
          label={isMoney ? `To (${currency})` : "To"}
          inputMode="decimal"
          value={max}
          onChange={(event) => setMax(event.currentTarget.value)}
        />
      </Group>
      {problem === null ? null : (
        <p role="alert" className="field-problem">
          {problem}
        </p>
      )}
      <Apply />
    </form>
  );
}

/** A day in the browser's own time zone, as its field writes it. */
function fieldDay(at: string | undefined): string {
  if (at === undefined) return "";
  const moment = new Date(at);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 10);
}

function momentOf(typed: string): string | undefined {
  return typed === "" ? undefined : new Date(`${typed}T00:00:00`).toISOString();
}

function DaysEditor({ kind, filter, onChange }: PropsOf<"days">) {
  const { since, until } = kind;
  return (
    <Group gap="xs" wrap="nowrap">
      <TextInput
        type="date"
        label="From"
        data-autofocus
        value={fieldDay(filter[since])}
        onChange={(event) => onChange({ [since]: momentOf(event.currentTarget.value) })}
      />
      {until === undefined ? null : (
        <TextInput
          type="date"
          label="Before"
          value={fieldDay(filter[until])}
          onChange={(event) => onChange({ [until]: momentOf(event.currentTarget.value) })}
        />
      )}
    </Group>
  );
}
