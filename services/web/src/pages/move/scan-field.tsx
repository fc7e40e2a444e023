import { Button, TextInput } from "@mantine/core";
import { useState } from "react";

/** What cannot be scanned is typed here; a scanner may type into it too. */
export function ScanField(props: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  onScan: (text: string) => void;
}) {
  const text = props.value.trim();
  return (
    <form
      className="move-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text === "") return;
        props.onScan(text);
        props.onChange("");
      }}
    >
      <TextInput
        aria-label={props.label}
        placeholder={props.label}
        data-scan
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={300}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={text === ""}>
        Enter
      </Button>
    </form>
  );
}

/** What stands in the field, which an unfinished burst is put into. */
export function useScanField(): { value: string; onChange: (text: string) => void } {
  const [value, onChange] = useState("");
  return { value, onChange };
}
