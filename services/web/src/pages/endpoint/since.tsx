import { Group, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldMoment, momentOfField } from "../../parts/time-filter.tsx";

const hourMs = 3_600_000;
const choices = {
  "1h": hourMs,
  "24h": 24 * hourMs,
  "7d": 7 * 24 * hourMs,
  "30d": 30 * 24 * hourMs,
};
const choiceWords = {
  "1h": "An hour ago",
  "24h": "24 hours ago",
  "7d": "7 days ago",
  "30d": "30 days ago",
} as const;
type Choice = keyof typeof choices;

function ago(choice: Choice): string {
  return new Date(Date.now() - choices[choice]).toISOString();
}

export const defaultSince = (): string => ago("24h");

/** The moment from which on something is looked at: some time ago, since it fails, or exactly. */
export function SinceField(props: {
  label: string;
  value: string;
  failingSince: string | null;
  size: "xs" | "sm";
  onChange: (since: string) => void;
}) {
  const { failingSince, value, onChange } = props;
  const [shown, setShown] = useState<string>(() =>
    failingSince !== null && failingSince === value ? "failing" : "exact",
  );
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label={props.size === "sm" ? props.label : undefined}
        aria-label={props.label}
        size={props.size}
        w={190}
        allowDeselect={false}
        data={[
          ...(failingSince === null ? [] : [{ value: "failing", label: "Since it began to fail" }]),
          ...Object.entries(choiceWords).map(([choice, label]) => ({ value: choice, label })),
          { value: "exact", label: "Exactly" },
        ]}
        value={shown}
        onChange={(chosen) => {
          setShown(chosen ?? "exact");
          if (chosen === "failing" && failingSince !== null) onChange(failingSince);
          else if (chosen !== null && chosen in choices) onChange(ago(chosen as Choice));
        }}
      />
      <TextInput
        aria-label={`${props.label}, exactly`}
        type="datetime-local"
        size={props.size}
        value={fieldMoment(value)}
        onChange={(event) => {
          const moment = momentOfField(event.currentTarget.value);
          if (moment === undefined) return;
          setShown("exact");
          onChange(moment);
        }}
      />
    </Group>
  );
}
