import { conditions } from "@cardvault/contract";
import type { BulkAction, CardPatch } from "@cardvault/contract";
import { Modal, Select, SimpleGrid, Stack, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { readAmount } from "../../../parts/card-fields-money.ts";
import { conditionWords } from "../../../parts/words.ts";
import type { TaskProps } from "./bulk-dialog.tsx";
import { TaskFoot } from "./task-foot.tsx";

const texts = [
  { field: "game", label: "Game", maxLength: 60 },
  { field: "set", label: "Set", maxLength: 120 },
  { field: "set_code", label: "Set code", maxLength: 30 },
  { field: "variant", label: "Variant", maxLength: 120 },
  { field: "rarity", label: "Rarity", maxLength: 60 },
  { field: "language", label: "Language", maxLength: 35 },
] as const;
const amounts = [
  { field: "purchase_price", label: "Cost" },
  { field: "price_floor", label: "Price floor" },
] as const;

type Field = (typeof texts)[number]["field"] | (typeof amounts)[number]["field"];

/** Fields that all of the cards get, and tags that are added or taken away. What is left empty stays. */
export function FieldsDialog(props: TaskProps & { currency: string }) {
  const { currency } = props;
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({});
  const [condition, setCondition] = useState<string | null>(null);
  const [added, setAdded] = useState<string[]>([]);
  const [removed, setRemoved] = useState<string[]>([]);
  const [problem, setProblem] = useState<{ field: Field; message: string } | null>(null);
  const type = (field: Field) => (value: string) => {
    setProblem(null);
    setTyped((before) => ({ ...before, [field]: value }));
  };
  const isReady =
    condition !== null ||
    added.length + removed.length > 0 ||
    Object.values(typed).some((value) => value.trim() !== "");

  function start(): void {
    const fields: CardPatch = {};
    for (const { field } of texts) {
      const value = typed[field]?.trim() ?? "";
      if (value !== "") fields[field] = value;
    }
    for (const { field } of amounts) {
      const value = typed[field]?.trim() ?? "";
      if (value === "") continue;
      const read = readAmount(value, currency, 0);
      if (read.problem !== undefined) {
        setProblem({ field, message: read.problem });
        return;
      }
      fields[field] = read.value;
    }
    const known = conditions.find((one) => one === condition);
    if (known !== undefined) fields.condition = known;
    const action: BulkAction = {
      type: "set_fields",
      fields: fields as Extract<BulkAction, { type: "set_fields" }>["fields"],
      ...(added.length === 0 ? {} : { add_tags: added }),
      ...(removed.length === 0 ? {} : { remove_tags: removed }),
    };
    props.onStart(action);
  }
  return (
    <Modal opened onClose={props.onClose} size="lg" title={`Edit ${props.what}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <Stack gap="md">
          <p className="cell-sub task-note">What is left empty stays as each card has it.</p>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            {texts.map(({ field, label, maxLength }, index) => (
              <TextInput
                key={field}
                label={label}
                maxLength={maxLength}
                data-autofocus={index === 0}
                value={typed[field] ?? ""}
                onChange={(event) => type(field)(event.currentTarget.value)}
              />
            ))}
            <Select
              label="Condition"
              description="Takes away a grading"
              clearable
              clearButtonProps={{ "aria-label": "As each card has it" }}
              data={conditions.map((value) => ({ value, label: conditionWords[value] ?? value }))}
              value={condition}
              onChange={setCondition}
            />
            {amounts.map(({ field, label }) => (
              <TextInput
                key={field}
                label={`${label} (${currency})`}
                inputMode="decimal"
                value={typed[field] ?? ""}
                error={problem?.field === field ? problem.message : null}
                onChange={(event) => type(field)(event.currentTarget.value)}
              />
            ))}
          </SimpleGrid>
          <TagsInput
            label="Tags to add"
            description="Enter ends one"
            maxTags={50}
            value={added}
            onChange={setAdded}
          />
          <TagsInput label="Tags to take away" maxTags={50} value={removed} onChange={setRemoved} />
          <TaskFoot
            confirm="Change the cards"
            isReady={isReady}
            isPending={props.isPending}
            error={props.error}
            onClose={props.onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
