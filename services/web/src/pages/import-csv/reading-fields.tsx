import type {
  DuplicateAction,
  ImportField,
  ImportMapping,
  ImportMatch,
  ImportSettings,
} from "@cardvault/contract";
import { Checkbox, Group, Select, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { duplicateWords, fieldWords, matchWords } from "./list-words.ts";

/** What one says for a whole list, because it stands in none of its columns. */
const constants: readonly ImportField[] = [
  "game",
  "set",
  "language",
  "condition",
  "location",
  "price_currency",
];
const maxLength = 200;
const scaleWords = {
  general: "Near mint, lightly played …",
  cardmarket: "Cardmarket: mint, near mint, excellent, good …",
  sports: "Sports cards: mint, excellent, very good …",
};
const matches: readonly ImportMatch[] = ["sku", "cert_number", "external_id", "identity"];

/** How rows are read, and what is done with those that are a card already. */
export function ReadingFields(props: {
  mapping: ImportMapping;
  settings: ImportSettings;
  onMapping: (mapping: ImportMapping) => void;
  onSettings: (settings: ImportSettings) => void;
}) {
  const { mapping, settings, onMapping, onSettings } = props;
  const mapped = new Set(mapping.columns.map(({ field }) => field));
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <Select
          label="A row that is a card already"
          allowDeselect={false}
          data={Object.entries(duplicateWords).map(([value, label]) => ({ value, label }))}
          value={settings.duplicates}
          onChange={(value) =>
            onSettings({ ...settings, duplicates: (value ?? "skip") as DuplicateAction })
          }
        />
        <Select
          label="Prices in another currency"
          allowDeselect={false}
          data={[
            { value: "invalid", label: "Make the row invalid" },
            { value: "leave_out", label: "Are left out" },
          ]}
          value={settings.foreign_prices}
          onChange={(value) =>
            onSettings({
              ...settings,
              foreign_prices: value === "leave_out" ? "leave_out" : "invalid",
            })
          }
        />
        <Select
          label="Words of condition"
          allowDeselect={false}
          data={Object.entries(scaleWords).map(([value, label]) => ({ value, label }))}
          value={mapping.condition_scale}
          onChange={(value) =>
            onMapping({
              ...mapping,
              condition_scale: (value ?? "general") as keyof typeof scaleWords,
            })
          }
        />
        <Select
          label="Cents stand behind a"
          allowDeselect={false}
          data={[
            { value: ".", label: "Point: 12.50" },
            { value: ",", label: "Comma: 12,50" },
          ]}
          value={mapping.decimal}
          onChange={(value) => onMapping({ ...mapping, decimal: value === "," ? "," : "." })}
        />
        {constants
          .filter((field) => !mapped.has(field) || mapping.constants[field] !== undefined)
          .map((field) => (
            <TextInput
              key={field}
              label={`${fieldWords[field]} of every row`}
              placeholder="Not said"
              maxLength={maxLength}
              value={mapping.constants[field] ?? ""}
              onChange={(event) => {
                const { [field]: _before, ...others } = mapping.constants;
                const text = event.currentTarget.value;
                onMapping({
                  ...mapping,
                  constants: text === "" ? others : { ...others, [field]: text },
                });
              }}
            />
          ))}
      </SimpleGrid>
      <Checkbox.Group
        label="A row is a card that there is by"
        value={settings.match}
        onChange={(values) =>
          onSettings({ ...settings, match: matches.filter((match) => values.includes(match)) })
        }
      >
        <Group gap="md" mt={4}>
          {matches.map((match) => (
            <Checkbox
              key={match}
              value={match}
              label={match === "sku" ? "SKU, always" : matchWords[match]}
              disabled={match === "sku"}
            />
          ))}
        </Group>
      </Checkbox.Group>
      <Group gap="lg">
        <Switch
          size="xs"
          label="Make the title of year, manufacturer, set, subject and number"
          checked={mapping.compose_title}
          onChange={(event) =>
            onMapping({ ...mapping, compose_title: event.currentTarget.checked })
          }
        />
        <Switch
          size="xs"
          label="Pass over rows without stock"
          checked={mapping.skip_out_of_stock}
          onChange={(event) =>
            onMapping({ ...mapping, skip_out_of_stock: event.currentTarget.checked })
          }
        />
      </Group>
    </Stack>
  );
}
