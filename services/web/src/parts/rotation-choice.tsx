import type { RotationChoice } from "@cardvault/contract";
import { rotationChoices } from "@cardvault/contract";
import { Radio, Stack } from "@mantine/core";
import { rotationWords } from "./words.ts";

/** When the old key or secret gives way to the new one. */
export function RotationChoiceField(props: {
  label: string;
  description: string;
  value: RotationChoice;
  onChange: (choice: RotationChoice) => void;
}) {
  return (
    <Radio.Group
      label={props.label}
      description={props.description}
      value={props.value}
      onChange={(value) => {
        const choice = rotationChoices.find((known) => known === value);
        if (choice !== undefined) props.onChange(choice);
      }}
    >
      <Stack gap={8} mt={8}>
        {rotationChoices.map((choice) => (
          <Radio key={choice} size="xs" value={choice} label={rotationWords[choice]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
