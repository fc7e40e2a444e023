import type { Card } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { cardFields, fieldText, readField } from "../../parts/card-fields-model.ts";
import type { CardFieldName } from "../../parts/card-fields-model.ts";
import { formatMoney } from "../../parts/money.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { StaleNote, useCardChange } from "./card-change.tsx";
import { FieldInput } from "./field-input.tsx";
import type { MemberValue } from "./save-card.ts";

/** An edit that has begun: the card as it was then, and what was typed since. */
interface Edit {
  base: Card;
  text: string;
}

/**
 * A field of the card: its value, where it is from, and on a click or Enter what edits it in place. What was
 * typed is shown at once, and edited again where it did not arrive: it stays until it is saved or given up.
 */
export function FieldCell(props: {
  card: Card;
  name: CardFieldName;
  currency: string;
  origin: ReactNode;
  suggestions?: readonly string[];
  onTyped?: (text: string) => void;
  isWide?: boolean;
}) {
  const { card, name, currency } = props;
  const field = cardFields[name];
  const [typing, setTyping] = useState<Edit | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const change = useCardChange(card, name, {
    done: (saved) => `${field.label} ${savedWords(saved, name)}`,
    wanted: (base, value) =>
      `${field.label} of ${base.title ?? "a card that is not identified"}: ${savedText(value, name)}`,
  });
  const { shown, failure } = change;
  // What did not arrive is edited again, as it was typed.
  const edit = typing ?? (failure === null ? null : { base: failure.base, text: failedText() });
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  function failedText(): string {
    return fieldText(name, failure?.value);
  }
  function begin(): void {
    setTyping({ base: shown, text: fieldText(name, shown[name]) });
    setProblem(null);
  }
  function end(): void {
    setTyping(null);
    setProblem(null);
    change.giveUp();
    // The keyboard goes on from where it was; who went elsewhere meanwhile stays there.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus();
    });
  }
  function save(text: string, base: Card): void {
    if (text === fieldText(name, base[name])) {
      end();
      return;
    }
    const read = readField(name, text, currency);
    if (read.problem !== undefined) {
      setProblem(read.problem);
      return;
    }
    end();
    change.save(read.value, base);
  }
  return (
    <div className="field" data-wide={props.isWide || undefined}>
      <span className="field-label" id={id}>
        {field.label}
      </span>
      {edit === null ? (
        <button
          ref={button}
          type="button"
          className="field-value"
          aria-labelledby={`${id} ${id}-value`}
          title="Edit"
          aria-busy={change.isUnderWay || undefined}
          onClick={begin}
        >
          <span id={`${id}-value`} className="wrap" data-empty={isEmpty(shown, name) || undefined}>
            <FieldValue card={shown} name={name} />
          </span>
        </button>
      ) : (
        <FieldInput
          name={name}
          label={field.label}
          text={edit.text}
          problem={problem}
          isBack={typing === null}
          // What is asked is answered by a button, and leaving the field for it is no answer.
          savesOnBlur={failure === null}
          suggestions={props.suggestions ?? []}
          onChange={(text) => {
            setTyping({ ...edit, text });
            props.onTyped?.(text);
          }}
          onSave={(text) => save(text, edit.base)}
          onCancel={end}
        />
      )}
      {edit !== null && failure !== null ? (
        failure.latest === null ? (
          <>
            <ProblemNote error={failure.error} />
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => save(edit.text, failure.base)}
            >
              Retry
            </Button>
          </>
        ) : (
          <StaleNote
            theirs={<FieldValue card={failure.latest} name={name} />}
            onMine={() => save(edit.text, failure.latest ?? failure.base)}
            onTheirs={end}
          />
        )
      ) : null}
      <span className="field-origin">{props.origin}</span>
    </div>
  );
}

function isEmpty(card: Card, name: CardFieldName): boolean {
  return fieldText(name, card[name]) === "" && cardFields[name].kind.type !== "flag";
}

function FieldValue({ card, name }: { card: Card; name: CardFieldName }): ReactNode {
  const value = card[name];
  const { type } = cardFields[name].kind;
  if (type === "flag") return value === true ? "Yes" : "No";
  if (isEmpty(card, name)) return "–";
  return type === "money"
    ? formatMoney(value as NonNullable<Card["asking_price"]>)
    : fieldText(name, value);
}

function savedWords(card: Card, name: CardFieldName): string {
  if (isEmpty(card, name)) return "is cleared";
  return `is ${savedText(card[name], name)}`;
}

function savedText(value: MemberValue, name: CardFieldName): string {
  const text =
    cardFields[name].kind.type === "money" && value != null
      ? formatMoney(value as NonNullable<Card["asking_price"]>)
      : fieldText(name, value) || "no";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
