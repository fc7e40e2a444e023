import type { CardRow, WorkflowStatus } from "@cardvault/contract";
import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { KeyboardEvent, RefObject } from "react";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { amountText, readAmount } from "../../parts/card-fields-money.ts";
import { useWalking } from "../../parts/choice.ts";
import { stagesFrom } from "../../parts/stages.ts";
import { workflowWords } from "../../parts/words.ts";
import { keepUnread, saveEdit } from "./edits.ts";
import type { EditField, EditValue } from "./edits.ts";
import { draftOf, keepDraft, stopEditing } from "./list-state.ts";

const restMs = 120;
const suggested = 8;

/**
 * The field in the place of a cell. Enter and leaving it save, Escape gives the old value back; scrolled out
 * of sight it is neither, and what was typed is there when it comes back.
 */
export function CellEditor(props: { row: CardRow; field: EditField; currency: string }) {
  const { row, field, currency } = props;
  switch (field) {
    case "asking_price":
      return <PriceEditor row={row} currency={currency} />;
    case "location":
      return <LocationEditor row={row} />;
    case "workflow_status":
      return <StageEditor row={row} />;
  }
}

/** Back to the list, so that its keys go on where one was. What is still kept of the edit is saved. */
function leave(): void {
  stopEditing();
  document.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });
}

/**
 * What is typed into the cell, kept beside the list: its row is taken out of the document when it leaves the
 * window. @param save how leaving the field saves it
 */
function useDraft(
  row: CardRow,
  textOf: (row: CardRow) => string,
  save: (base: CardRow, text: string) => void,
) {
  const [draft] = useState(draftOf);
  /** The card as it was when the edit began, whatever others make of it meanwhile. */
  const [base] = useState(draft?.row ?? row);
  const before = textOf(base);
  const [typed, setTyped] = useState(draft?.text ?? before);
  const hasEnded = useRef(false);
  /** What the field says from now on, when the focus leaves it, is nothing. */
  function end(): void {
    hasEnded.current = true;
    keepDraft(null);
  }
  return {
    base,
    before,
    typed,
    isBack: draft !== null,
    hasEnded: () => hasEnded.current,
    end,
    giveUp(event: KeyboardEvent): void {
      event.stopPropagation();
      end();
      leave();
    },
    type: (text: string): void => {
      setTyped(text);
      keepDraft(text === before ? null : { row: base, text, settle: () => save(base, text) });
    },
  };
}

/** The cell was asked to be edited, so this is where one types; one that came back in sight moves nothing. */
function useFieldFocus<Field extends HTMLElement>(isBack: boolean): RefObject<Field | null> {
  const field = useRef<Field>(null);
  useEffect(() => {
    const { current } = field;
    const { activeElement } = document;
    if (current === null) return;
    if (isBack && activeElement !== document.body && activeElement?.role !== "grid") return;
    current.focus({ preventScroll: true });
    if (isBack) return;
    if (current instanceof HTMLInputElement) current.select();
    current.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isBack]);
  return field;
}

function PriceEditor({ row, currency }: { row: CardRow; currency: string }) {
  const draft = useDraft(row, priceText, (begun, text) => {
    const read = readPrice(text, currency);
    if (read.problem === undefined) saveEdit(begun, "asking_price", read.value);
    else keepUnread(begun, "asking_price", text, read.problem);
  });
  const { base, before, typed, isBack } = draft;
  const [problem, setProblem] = useState<string | null>(null);
  const field = useFieldFocus<HTMLInputElement>(isBack);

  /** Whether what was typed is a price, or nothing. */
  function commit(): boolean {
    if (typed.trim() !== before) {
      const read = readPrice(typed, currency);
      if (read.problem !== undefined) {
        setProblem(read.problem);
        return false;
      }
      saveEdit(base, "asking_price", read.value);
    }
    draft.end();
    return true;
  }
  return (
    <span className="cell-editor" data-editor>
      <input
        ref={field}
        className="cell-input"
        inputMode="decimal"
        aria-label={`Asking price of ${row.title ?? "the card"}`}
        aria-invalid={problem !== null}
        value={typed}
        onChange={(event) => {
          draft.type(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") draft.giveUp(event);
          else if (event.key === "Enter" && commit()) leave();
        }}
        onBlur={() => {
          // What is no price stays, with what is wrong with it.
          if (!draft.hasEnded() && commit()) stopEditing();
        }}
      />
      {problem === null ? null : (
        <span role="alert" className="cell-problem">
          {problem}
        </span>
      )}
    </span>
  );
}

function priceText({ asking_price: price }: CardRow): string {
  return price === null ? "" : amountText(price);
}

function readPrice(
  typed: string,
  currency: string,
): { value: EditValue; problem?: undefined } | { problem: string } {
  const text = typed.trim();
  return text === "" ? { value: null } : readAmount(text, currency, 1);
}

function LocationEditor({ row }: { row: CardRow }) {
  const draft = useDraft(row, locationText, saveLocation);
  const { base, typed, isBack } = draft;
  const [settled] = useDebouncedValue(typed.trim(), restMs);
  const field = useFieldFocus<HTMLInputElement>(isBack);
  const places = useQuery(
    trpc.locations.suggest.queryOptions(
      { text: settled, limit: suggested },
      { placeholderData: keepPreviousData },
    ),
  );
  function commit(text: string): void {
    if (draft.hasEnded()) return;
    draft.end();
    saveLocation(base, text);
  }
  return (
    <span className="cell-editor" data-editor>
      <Autocomplete
        size="xs"
        ref={field}
        aria-label={`Location of ${row.title ?? "the card"}`}
        maxLength={120}
        data={(places.data?.data ?? []).map(({ path }) => path)}
        // The service has chosen already.
        filter={({ options }) => options}
        value={typed}
        onChange={draft.type}
        onOptionSubmit={(path) => {
          commit(path);
          leave();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            draft.giveUp(event);
          } else if (event.key === "Enter" && !event.defaultPrevented) {
            commit(typed);
            leave();
          }
        }}
        onBlur={() => {
          if (draft.hasEnded()) return;
          commit(typed);
          stopEditing();
        }}
        comboboxProps={{
          width: 220,
          position: "bottom-start",
          withinPortal: false,
          floatingStrategy: "fixed",
        }}
      />
    </span>
  );
}

function locationText({ location }: CardRow): string {
  return location ?? "";
}

function saveLocation(base: CardRow, typed: string): void {
  const text = typed.trim();
  saveEdit(base, "location", text === "" ? null : text);
}

function StageEditor({ row }: { row: CardRow }) {
  const draft = useDraft(row, stageOf, saveStage);
  const { base, typed, isBack } = draft;
  const field = useFieldFocus<HTMLSelectElement>(isBack);
  const { isWalking, noteKeyDown, noteKeyUp } = useWalking();
  function commit(stage: string): void {
    draft.end();
    saveStage(base, stage);
  }
  return (
    <span className="cell-editor" data-editor>
      <select
        ref={field}
        className="cell-input"
        aria-label={`Stage of ${row.title ?? "the card"}`}
        value={typed}
        onChange={(event) => {
          const { value } = event.currentTarget;
          // A stage that a key comes by is not meant yet.
          if (isWalking()) {
            draft.type(value);
            return;
          }
          commit(value);
          leave();
        }}
        onKeyDown={(event) => {
          noteKeyDown(event);
          if (event.key === "Escape") draft.giveUp(event);
          else if (event.key === "Enter") {
            event.preventDefault();
            commit(typed);
            leave();
          }
        }}
        onKeyUp={noteKeyUp}
        onBlur={() => {
          if (draft.hasEnded()) return;
          commit(typed);
          stopEditing();
        }}
      >
        {stagesFrom(base.workflow_status).map((status) => (
          <option key={status} value={status}>
            {workflowWords[status]}
          </option>
        ))}
      </select>
    </span>
  );
}

function stageOf({ workflow_status: status }: CardRow): WorkflowStatus {
  return status;
}

function saveStage(base: CardRow, stage: string): void {
  saveEdit(base, "workflow_status", stage);
}
