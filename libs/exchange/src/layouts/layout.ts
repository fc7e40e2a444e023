import type { Card, ImportField, ImportLayout, ImportMapping } from "@cardvault/contract";

/** A column of a tool's list: its field, and a name where the field needs one. */
export type LayoutColumn = ImportField | readonly [field: ImportField, name: string];

/** A tool's list: how it is recognised, what its columns mean, and how ours is written like it. */
export interface Layout {
  readonly id: ImportLayout;
  /** All of one of these sets, as `plainHeader` writes them, make a list this tool's. */
  readonly recognisedBy: readonly (readonly string[])[];
  /** By plain header. Columns that are not here mean nothing to us. */
  readonly columns: Readonly<Record<string, LayoutColumn>>;
  readonly options?: Partial<Omit<ImportMapping, "columns" | "decimal">> | undefined;
  /** Lines before the header, which the tool asks for. */
  readonly preface?: string | undefined;
  readonly headers: (currency: string) => readonly string[];
  readonly cells: (card: Card) => readonly string[];
}

export const text = (value: string | number | null | undefined): string =>
  value == null ? "" : String(value);
