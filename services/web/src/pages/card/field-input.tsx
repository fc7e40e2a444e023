import { conditions } from "@cardvault/contract";
import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useEffect, useId, useRef } from "react";
import type { KeyboardEvent } from "react";
import { cardFields } from "../../parts/card-fields-model.ts";
import type { CardFieldName } from "../../parts/card-fields-model.ts";
import { useWalking } from "../../parts/choice.ts";
import { conditionWords } from "../../parts/words.ts";

/** What a field is typed into: Enter and leaving it save, Escape gives up. */
export function FieldInput(props: {
  name: CardFieldName;
  label: string;
  text: string;
  problem: string | null;
  /** It comes by itself, with what did not arrive: who types elsewhere meanwhile goes on there. */
  isBack: boolean;
  savesOnBlur: boolean;
  suggestions: readonly string[];
  onChange: (text: string) => void;
  onSave: (text: string) => void;
  onCancel: () => void;
}) {
  const { name, label, text, problem } = props;
  const { kind } = cardFields[name];
  const list = useId();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  const { isBack } = props;
  const { isWalking, noteKeyDown, noteKeyUp } = useWalking();
  useEffect(() => {
    if (isBack && document.activeElement !== document.body) return;
    input.current?.focus();
    if (kind.type !== "condition" && kind.type !== "flag") input.current?.select();
  }, [kind.type, isBack]);
  const isLong = kind.type === "text" && kind.isLong === true;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      props.onCancel();
    } else if (event.key === "Enter" && (!isLong || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      props.onSave(text);
    }
  }
  const onBlur = (): void => {
    if (props.savesOnBlur) props.onSave(text);
  };
  const common = {
    ref: input,
    size: "xs",
    "aria-label": label,
    value: text,
    error: problem,
    onKeyDown,
  } as const;
  if (kind.type === "condition" || kind.type === "flag") {
    const choices =
      kind.type === "flag"
        ? [
            { value: "", label: "No" },
            { value: "Yes", label: "Yes" },
          ]
        : [
            { value: "", label: "Not known" },
            ...conditions.map((one) => ({
              value: conditionWords[one] ?? one,
              label: conditionWords[one] ?? one,
            })),
          ];
    return (
      <NativeSelect
        {...common}
        data={choices}
        onKeyDown={(event) => {
          noteKeyDown(event);
          onKeyDown(event);
        }}
        onKeyUp={noteKeyUp}
        onChange={(event) => {
          const { value } = event.currentTarget;
          props.onChange(value);
          // What a key comes by is not meant yet.
          if (!isWalking()) props.onSave(value);
        }}
        onBlur={onBlur}
      />
    );
  }
  if (isLong) {
    return (
      <Textarea
        {...common}
        autosize
        minRows={3}
        maxRows={14}
        description="Ctrl Enter saves, Esc gives up"
        onChange={(event) => props.onChange(event.currentTarget.value)}
        onBlur={onBlur}
      />
    );
  }
  return (
    <>
      <TextInput
        {...common}
        list={props.suggestions.length === 0 ? undefined : list}
        autoComplete="off"
        inputMode={kind.type === "money" ? "decimal" : kind.type === "whole" ? "numeric" : "text"}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        onBlur={onBlur}
      />
      {props.suggestions.length === 0 ? null : (
        <datalist id={list}>
          {props.suggestions.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
