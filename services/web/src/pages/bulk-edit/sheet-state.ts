import type { CardRow, PatchEach } from "@cardvault/contract";
import { fieldText, readField } from "../../parts/card-fields-model.ts";
import { storedText } from "./sheet-columns.ts";
import type { SheetField } from "./sheet-columns.ts";

/** What was typed into one cell of a card. Undefined: it is as it is stored. */
interface CellChange {
  readonly id: string;
  readonly column: SheetField;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What one key or paste did; it is undone as one. */
type Step = readonly CellChange[];

export type RowEdits = Readonly<Partial<Record<SheetField, string>>>;

/** What a card's cell was refused with, by the service. */
export type Refusals = ReadonlyMap<string, Readonly<Partial<Record<SheetField | "row", string>>>>;

/** All that was typed and not saved, with the way back. */
export interface SheetState {
  readonly edits: ReadonlyMap<string, RowEdits>;
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
  readonly refused: Refusals;
}

export const emptySheet: SheetState = {
  edits: new Map(),
  done: [],
  undone: [],
  refused: new Map(),
};

const mostSteps = 200;

/** A text for a cell; the one that is stored takes the edit back. */
export interface CellText {
  readonly row: CardRow;
  readonly column: SheetField;
  readonly text: string;
}

/** Writes texts into cells, as one step. Nothing that is so already is a step. */
export function write(state: SheetState, texts: readonly CellText[]): SheetState {
  const step: CellChange[] = [];
  for (const { row, column, text } of texts) {
    const before = state.edits.get(row.id)?.[column];
    const after = text === storedText(row, column) ? undefined : text;
    if (before !== after) step.push({ id: row.id, column, before, after });
  }
  if (step.length === 0) return state;
  return {
    ...applied(state, step, "after"),
    done: [...state.done, step].slice(-mostSteps),
    undone: [],
  };
}

export function undo(state: SheetState): SheetState {
  const step = state.done.at(-1);
  if (step === undefined) return state;
  return {
    ...applied(state, step, "before"),
    done: state.done.slice(0, -1),
    undone: [...state.undone, step],
  };
}

export function redo(state: SheetState): SheetState {
  const step = state.undone.at(-1);
  if (step === undefined) return state;
  return {
    ...applied(state, step, "after"),
    done: [...state.done, step],
    undone: state.undone.slice(0, -1),
  };
}

function applied(state: SheetState, step: Step, which: "before" | "after"): SheetState {
  const edits = new Map(state.edits);
  const refused = new Map(state.refused);
  for (const change of step) {
    const { [change.column]: _, ...others } = edits.get(change.id) ?? {};
    const text = change[which];
    const next: RowEdits = text === undefined ? others : { ...others, [change.column]: text };
    if (Object.keys(next).length === 0) edits.delete(change.id);
    else edits.set(change.id, next);
    // What was refused is not what stands there now.
    refused.delete(change.id);
  }
  return { ...state, edits, refused };
}

/** What is wrong with a cell: what cannot be read, else what the service refused. */
export function problemOfCell(
  state: SheetState,
  id: string,
  column: SheetField,
  currency: string,
): string | undefined {
  const text = state.edits.get(id)?.[column];
  if (text === undefined) return undefined;
  const read = readField(column, text, currency);
  return read.problem ?? state.refused.get(id)?.[column] ?? state.refused.get(id)?.row;
}

export type Patches = PatchEach["patches"];

/** What is to be saved: the cards without an unreadable cell. The others wait, with what was typed. */
export function patchesOf(
  state: SheetState,
  rows: ReadonlyMap<string, CardRow>,
  currency: string,
): { patches: Patches; unreadable: { id: string; column: SheetField }[] } {
  const patches: Patches = [];
  const unreadable: { id: string; column: SheetField }[] = [];
  for (const [id, edits] of state.edits) {
    const row = rows.get(id);
    if (row === undefined) continue;
    const { patch, columns } = readEdits(edits, currency);
    if (columns.length === 0) patches.push({ id, patch, if_version: row.version });
    else unreadable.push(...columns.map((column) => ({ id, column })));
  }
  return { patches, unreadable };
}

interface ReadEdits {
  readonly currency: string;
  readonly patch: Patches[number]["patch"];
  /** Those that cannot be read. */
  readonly columns: readonly SheetField[];
}

/** The edits of a row never change, so a key that changes one row reads that one, and not five thousand. */
const read = new WeakMap<RowEdits, ReadEdits>();

function readEdits(edits: RowEdits, currency: string): ReadEdits {
  const known = read.get(edits);
  if (known?.currency === currency) return known;
  const patch: Record<string, unknown> = {};
  const columns: SheetField[] = [];
  for (const [name, text] of Object.entries(edits)) {
    const column = name as SheetField;
    const found = readField(column, text, currency);
    if (found.problem === undefined) patch[column] = found.value;
    else columns.push(column);
  }
  const made = { currency, patch, columns };
  read.set(edits, made);
  return made;
}

/**
 * A card as somebody else has changed it: a cell of it that was typed into here says both values, and keeps
 * what was typed.
 */
export function noteChanged(
  state: SheetState,
  before: CardRow,
  after: CardRow,
  currency: string,
): SheetState {
  const cells: Partial<Record<SheetField, string>> = {};
  for (const [name, typed] of Object.entries(state.edits.get(after.id) ?? {})) {
    const column = name as SheetField;
    const now = storedText(after, column);
    if (now === storedText(before, column)) continue;
    const read = readField(column, typed, currency);
    if (read.problem === undefined && fieldText(column, read.value) === now) continue;
    cells[column] =
      `Somebody else has changed it to ${now === "" ? "nothing" : now}. Saving writes yours.`;
  }
  if (Object.keys(cells).length === 0) return state;
  const refused = new Map(state.refused).set(after.id, {
    ...state.refused.get(after.id),
    ...cells,
  });
  return { ...state, refused };
}

/** After a save: what was written is no edit any more, and what was refused says why. */
export function settle(state: SheetState, saved: readonly string[], refused: Refusals): SheetState {
  const edits = new Map(state.edits);
  for (const id of saved) if (!refused.has(id)) edits.delete(id);
  // The steps before a save are taken back by the job's undo.
  return { edits, done: [], undone: [], refused };
}
