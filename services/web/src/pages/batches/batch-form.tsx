import type { Batch, BatchCreate, Condition } from "@cardvault/contract";
import { conditions } from "@cardvault/contract";
import { Select, SimpleGrid, Stack, Textarea, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { amountText, readAmount } from "../../parts/card-fields-money.ts";
import { conditionWords } from "../../parts/words.ts";

/** The documented maxima, in characters. */
const most = { name: 120, code: 20, source: 120, description: 2_000, set: 120, game: 60 };
const mostLanguage = 35;
const mostLocation = 120;

/** A batch as it is typed. */
export type BatchTexts = {
  name: string;
  code: string;
  source: string;
  description: string;
  cost: string;
  acquired: string;
  game: string;
  set: string;
  condition: Condition | "";
  language: string;
  location: string;
  floor: string;
};

/** A batch as the form has it; for none, blank. */
export function textsOfBatch(batch: Batch | null): BatchTexts {
  const defaults = batch?.defaults;
  const cost = batch?.cost_basis ?? null;
  const floor = defaults?.price_floor ?? null;
  return {
    name: batch?.name ?? "",
    code: batch?.code ?? "",
    source: batch?.source ?? "",
    description: batch?.description ?? "",
    cost: cost === null ? "" : amountText(cost),
    acquired: batch?.acquired_at?.slice(0, "2026-01-01".length) ?? "",
    game: defaults?.game ?? "",
    set: defaults?.set ?? "",
    condition: defaults?.condition ?? "",
    language: defaults?.language ?? "",
    location: defaults?.location ?? "",
    floor: floor === null ? "" : amountText(floor),
  };
}

/** The account's, in which every amount is typed. */
export function useCurrency(): string {
  const current = useQuery(trpc.accounts.current.queryOptions());
  return current.data?.account.currency ?? "USD";
}

export function useBatchForm(batch: Batch | null, currency: string) {
  const amount = (typed: string) =>
    typed.trim() === "" ? null : (readAmount(typed, currency, 0).problem ?? null);
  return useForm<BatchTexts>({
    initialValues: textsOfBatch(batch),
    validate: {
      name: (name) => (name.trim() === "" ? "Give it a name" : null),
      cost: amount,
      floor: amount,
    },
  });
}
export type BatchForm = ReturnType<typeof useBatchForm>;

/** What the texts say, for `batches.create` and `.update`: what is blank is none. */
export function batchOf(texts: BatchTexts, currency: string): BatchCreate {
  const text = (typed: string) => (typed.trim() === "" ? null : typed.trim());
  const money = (typed: string) => {
    const read = typed.trim() === "" ? null : readAmount(typed, currency, 0);
    return read === null || read.problem !== undefined ? null : read.value;
  };
  const code = text(texts.code);
  return {
    name: texts.name.trim(),
    ...(code === null ? {} : { code }),
    source: text(texts.source),
    description: text(texts.description),
    cost_basis: money(texts.cost),
    acquired_at: texts.acquired === "" ? null : `${texts.acquired}T00:00:00.000Z`,
    defaults: {
      game: text(texts.game),
      set: text(texts.set),
      condition: texts.condition === "" ? null : texts.condition,
      language: text(texts.language),
      location: text(texts.location),
      price_floor: money(texts.floor),
    },
  };
}

const sayCondition = (value: string) => conditionWords[value] ?? value;
/** The fields as they are called. */
export const batchFieldWords = {
  name: { label: "Name" },
  code: { label: "Code" },
  source: { label: "Where from" },
  description: { label: "Description" },
  cost: { label: "Cost of the whole batch" },
  acquired: { label: "Acquired on" },
  game: { label: "Game of new cards" },
  set: { label: "Set of new cards" },
  condition: { label: "Condition of new cards", say: sayCondition },
  language: { label: "Language of new cards" },
  location: { label: "Location of new cards" },
  floor: { label: "Price floor of new cards" },
} as const satisfies Record<keyof BatchTexts, { label: string; say?: (value: string) => string }>;

/** What the service found wrong with a member of a batch, at its field. */
const fieldOf: Record<string, keyof BatchTexts> = {
  name: "name",
  code: "code",
  source: "source",
  description: "description",
  cost_basis: "cost",
  acquired_at: "acquired",
  "defaults.game": "game",
  "defaults.set": "set",
  "defaults.condition": "condition",
  "defaults.language": "language",
  "defaults.location": "location",
  "defaults.price_floor": "floor",
};

export function batchErrors(
  details: readonly { path: string; message: string }[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, message } of details) {
    const known = Object.keys(fieldOf).find((name) => path === name || path.startsWith(`${name}.`));
    if (known !== undefined) found[fieldOf[known] ?? known] = message;
  }
  return found;
}

/** What a batch is and what it cost. */
export function BatchFields({ form, currency }: { form: BatchForm; currency: string }) {
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Name"
          placeholder="Harbour collection"
          maxLength={most.name}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <TextInput
          label="Code"
          description="Blank: the next one is given"
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="B48"
          maxLength={most.code}
          {...form.getInputProps("code")}
        />
        <TextInput
          label="Where from"
          placeholder="Estate sale"
          maxLength={most.source}
          {...form.getInputProps("source")}
        />
        <TextInput label="Acquired on" type="date" {...form.getInputProps("acquired")} />
        <TextInput
          label={`Cost of the whole batch (${currency})`}
          inputMode="decimal"
          placeholder="450.00"
          {...form.getInputProps("cost")}
        />
      </SimpleGrid>
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={most.description}
        {...form.getInputProps("description")}
      />
    </Stack>
  );
}

/** What each new card of the batch starts with. */
export function BatchDefaultFields({ form, currency }: { form: BatchForm; currency: string }) {
  return (
    <section aria-labelledby="batch-defaults">
      <Title order={3} id="batch-defaults" mb={4}>
        New cards start with
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Game"
          placeholder="Runes of Avarra"
          maxLength={most.game}
          {...form.getInputProps("game")}
        />
        <TextInput label="Set" maxLength={most.set} {...form.getInputProps("set")} />
        <Select
          label="Condition"
          clearable
          clearButtonProps={{ "aria-label": "No condition" }}
          data={conditions.map((value) => ({ value, label: conditionWords[value] ?? value }))}
          value={form.values.condition === "" ? null : form.values.condition}
          error={form.errors["condition"]}
          onChange={(value) =>
            form.setFieldValue("condition", conditions.find((known) => known === value) ?? "")
          }
        />
        <TextInput
          label="Language"
          placeholder="en"
          maxLength={mostLanguage}
          {...form.getInputProps("language")}
        />
        <TextInput
          label="Location"
          placeholder="A-03"
          maxLength={mostLocation}
          {...form.getInputProps("location")}
        />
        <TextInput
          label={`Price floor (${currency})`}
          inputMode="decimal"
          {...form.getInputProps("floor")}
        />
      </SimpleGrid>
    </section>
  );
}
