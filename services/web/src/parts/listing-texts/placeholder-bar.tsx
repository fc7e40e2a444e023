import { Button } from "@mantine/core";
import { useState } from "react";
import type { KeyboardEvent } from "react";
import { flushSync } from "react-dom";

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The placeholders of templates: one stop of Tab, within it the arrow keys. */
export function PlaceholderBar(props: {
  names: readonly string[];
  /** Where a chosen one goes, in words. */
  into: string;
  onChoose: (name: string) => void;
}) {
  const { names, into, onChoose } = props;
  const [current, setCurrent] = useState(0);
  const step = (event: KeyboardEvent<HTMLElement>): void => {
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = (current + by + names.length) % names.length;
    setCurrent(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div
      className="texts-placeholders"
      role="toolbar"
      tabIndex={-1}
      aria-label={`Put into the ${into}`}
      onKeyDown={step}
    >
      <span className="cell-sub">Put into the {into}</span>
      {names.map((name, at) => (
        <Button
          key={name}
          size="compact-xs"
          variant="default"
          className="mono"
          tabIndex={at === current ? 0 : -1}
          onFocus={() => setCurrent(at)}
          onClick={() => onChoose(name)}
        >
          {`{${name}}`}
        </Button>
      ))}
    </div>
  );
}

/** Puts a placeholder where the caret is, apart from the words beside it; the caret is after it then. */
export function insertPlaceholder(
  field: HTMLInputElement | HTMLTextAreaElement | null,
  name: string,
  write: (text: string) => void,
): void {
  if (field === null) return;
  const { value } = field;
  const before = value.slice(0, field.selectionStart ?? value.length);
  const after = value.slice(field.selectionEnd ?? value.length);
  const head = `${before}${/[\p{L}\p{N}}]$/u.test(before) ? " " : ""}{${name}}`;
  // The field has to hold the text before a caret can be put into it.
  flushSync(() => write(`${head}${/^[\p{L}\p{N}{]/u.test(after) ? " " : ""}${after}`));
  field.focus();
  field.setSelectionRange(head.length, head.length);
}
