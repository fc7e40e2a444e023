import { workflowStatuses } from "@cardvault/contract";
import type { CardRow } from "@cardvault/contract";
import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { amountText, readAmount } from "../../parts/card-fields-money.ts";
import { workflowWords } from "../../parts/words.ts";
import { saveEdit } from "./edits.ts";
import type { EditField, EditValue } from "./edits.ts";
import { stopEditing } from "./list-state.ts";

const restMs = 120;
const suggested = 8;
/** What a sale and a marketplace make of a card is not set by hand. */
export const stagesByHand = workflowStatuses.filter(
  (status) => status !== "listed" && status !== "sold",
);

/** The field in the place of a cell. Enter and leaving it save, Escape gives the old value back. */
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

/** Back to the list, so that its keys go on where one was. */
function leave(): void {
  stopEditing();
  document.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });
}

function PriceEditor({ row, currency }: { row: CardRow; currency: string }) {
  const before = row.asking_price === null ? "" : amountText(row.asking_price);
  const [typed, setTyped] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);
  const hasLeft = useRef(false);

  /** Whether what was typed is a price, or nothing. */
  function commit(): boolean {
    const text = typed.trim();
    if (text === before) return true;
    let value: EditValue = null;
    if (text !== "") {
      const read = readAmount(text, currency, 1);
      if (read.problem !== undefined) {
        setProblem(read.problem);
        return false;
      }
      value = read.value;
    }
    saveEdit(row, "asking_price", value);
    return true;
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      hasLeft.current = true;
      leave();
    } else if (event.key === "Enter" && commit()) {
      hasLeft.current = true;
      leave();
    }
  }
  return (
    <span className="cell-editor" data-editor>
      <input
        // The cell was asked to be edited, so this is where one types.
        ref={focusAll}
        className="cell-input"
        inputMode="decimal"
        aria-label={`Asking price of ${row.title ?? "the card"}`}
        aria-invalid={problem !== null}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          // What is no price stays, with what is wrong with it.
          if (!hasLeft.current && commit()) stopEditing();
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

function focusAll(input: HTMLInputElement | null): void {
  if (input === null || input === document.activeElement) return;
  input.focus({ preventScroll: true });
  input.select();
  input.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function LocationEditor({ row }: { row: CardRow }) {
  const before = row.location ?? "";
  const [typed, setTyped] = useState(before);
  const [settled] = useDebouncedValue(typed.trim(), restMs);
  const hasLeft = useRef(false);
  const places = useQuery(
    trpc.locations.suggest.queryOptions(
      { text: settled, limit: suggested },
      { placeholderData: keepPreviousData },
    ),
  );
  function commit(text: string): void {
    if (hasLeft.current) return;
    hasLeft.current = true;
    const value = text.trim();
    if (value !== before) saveEdit(row, "location", value === "" ? null : value);
  }
  return (
    <span className="cell-editor" data-editor>
      <Autocomplete
        size="xs"
        ref={focusAll}
        aria-label={`Location of ${row.title ?? "the card"}`}
        maxLength={120}
        data={(places.data?.data ?? []).map(({ path }) => path)}
        // The service has chosen already.
        filter={({ options }) => options}
        value={typed}
        onChange={setTyped}
        onOptionSubmit={(path) => {
          commit(path);
          leave();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            hasLeft.current = true;
            leave();
          } else if (event.key === "Enter" && !event.defaultPrevented) {
            commit(typed);
            leave();
          }
        }}
        onBlur={() => {
          if (hasLeft.current) return;
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

function StageEditor({ row }: { row: CardRow }) {
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    select.current?.focus({ preventScroll: true });
    select.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);
  const stages = stagesByHand.some((status) => status === row.workflow_status)
    ? stagesByHand
    : [row.workflow_status, ...stagesByHand];
  return (
    <span className="cell-editor" data-editor>
      <select
        ref={select}
        className="cell-input"
        aria-label={`Stage of ${row.title ?? "the card"}`}
        defaultValue={row.workflow_status}
        onChange={(event) => {
          saveEdit(row, "workflow_status", event.currentTarget.value);
          leave();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          leave();
        }}
        onBlur={stopEditing}
      >
        {stages.map((status) => (
          <option key={status} value={status}>
            {workflowWords[status]}
          </option>
        ))}
      </select>
    </span>
  );
}
