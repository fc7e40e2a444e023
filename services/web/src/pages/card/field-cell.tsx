import type { Card } from "@cardvault/contract";
import { Button, Group } from "@mantine/core";
import { useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { cardFields, fieldText, readField } from "../../parts/card-fields-model.ts";
import type { CardFieldName } from "../../parts/card-fields-model.ts";
import { formatMoney } from "../../parts/money.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { offerCardUndo } from "../../parts/undo-card.ts";
import { FieldInput } from "./field-input.tsx";
import { keepCard, saveField, StaleField } from "./save-card.ts";

/** An edit that has begun: the card as it was then, and what was typed since. */
interface Edit {
  base: Card;
  text: string;
}

/**
 * A field of the card: its value, where it is from, and on a click or Enter what edits it in place. What was
 * typed stays until it is saved or given up, whatever the service says.
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
  const [edit, setEdit] = useState<Edit | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [stale, setStale] = useState<Card | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  function begin(): void {
    setEdit({ base: card, text: fieldText(name, card[name]) });
    setProblem(null);
    setError(null);
    setStale(null);
  }
  function end(): void {
    setEdit(null);
    setStale(null);
    setError(null);
    // The keyboard goes on from where it was; who went elsewhere meanwhile stays there.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus();
    });
  }
  async function save(text: string, base: Card): Promise<void> {
    if (isSaving) return;
    if (text === fieldText(name, base[name])) {
      end();
      return;
    }
    const read = readField(name, text, currency);
    if (read.problem !== undefined) {
      setProblem(read.problem);
      return;
    }
    setProblem(null);
    setError(null);
    setStale(null);
    setIsSaving(true);
    try {
      const saved = await saveField(base, name, read.value);
      end();
      offerCardUndo(`${field.label} ${savedWords(saved, name)}.`, saved, keepCard);
    } catch (thrown) {
      if (thrown instanceof StaleField) setStale(thrown.latest);
      else setError(thrown);
    } finally {
      setIsSaving(false);
    }
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
          onClick={begin}
        >
          <span id={`${id}-value`} className="wrap" data-empty={isEmpty(card, name) || undefined}>
            <FieldValue card={card} name={name} />
          </span>
        </button>
      ) : (
        <FieldInput
          name={name}
          label={field.label}
          text={edit.text}
          problem={problem}
          isSaving={isSaving}
          // What is asked is answered by a button, and leaving the field for it is no answer.
          savesOnBlur={stale === null && error === null}
          suggestions={props.suggestions ?? []}
          onChange={(text) => {
            setEdit({ ...edit, text });
            props.onTyped?.(text);
          }}
          onSave={(text) => void save(text, edit.base)}
          onCancel={end}
        />
      )}
      {edit !== null && stale !== null ? (
        <StaleNote
          name={name}
          latest={stale}
          onMine={() => {
            setEdit({ ...edit, base: stale });
            void save(edit.text, stale);
          }}
          onTheirs={end}
        />
      ) : null}
      {edit !== null && error !== null ? (
        <>
          <ProblemNote error={error} />
          <Button
            size="compact-xs"
            variant="default"
            loading={isSaving}
            onClick={() => void save(edit.text, edit.base)}
          >
            Retry
          </Button>
        </>
      ) : null}
      <span className="field-origin">{props.origin}</span>
    </div>
  );
}

/** Somebody else was faster: what stands there now, and what was typed. */
function StaleNote(props: {
  name: CardFieldName;
  latest: Card;
  onMine: () => void;
  onTheirs: () => void;
}) {
  return (
    <div role="alert" className="field-stale">
      <span>
        Changed by somebody else to{" "}
        <strong className="wrap">
          <FieldValue card={props.latest} name={props.name} />
        </strong>{" "}
        while you typed.
      </span>
      <Group gap={4}>
        <Button size="compact-xs" onClick={props.onMine}>
          Write mine
        </Button>
        <Button size="compact-xs" variant="default" onClick={props.onTheirs}>
          Keep theirs
        </Button>
      </Group>
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
  const value = card[name];
  if (isEmpty(card, name)) return "is cleared";
  const text =
    cardFields[name].kind.type === "money"
      ? formatMoney(value as NonNullable<Card["asking_price"]>)
      : fieldText(name, value) || "no";
  return `is ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}
