import type { CardRow, InventorySort, Money } from "@cardvault/contract";
import type { ReactNode } from "react";
import { formatAmount, formatMoney } from "../../parts/money.ts";
import { conditionWords, reviewWords } from "../../parts/words.ts";
import { StageMark } from "../../parts/stage-mark.tsx";
import { momentWords } from "../../parts/relative-time.tsx";
import type { EditField } from "./edits.ts";

/** A column of the table: its cells are plain markup, because a screen draws hundreds of them a frame. */
export interface Column {
  readonly id: string;
  readonly label: string;
  /** In px; the card's own column takes what is left. */
  readonly width: number;
  /** In px, what it gives way to where there is no room for all; without it, it keeps its width. */
  readonly least?: number;
  readonly isNumber?: boolean;
  readonly sort?: InventorySort;
  readonly field?: EditField;
  /** Its head names the account's currency, once for all of them. */
  readonly isMoney?: boolean;
  readonly cell: (row: CardRow, currency: string) => ReactNode;
}

function amount(money: Money | null, currency: string): string | null {
  if (money === null) return null;
  return money.currency === currency ? formatAmount(money) : formatMoney(money);
}

function moment(at: string): ReactNode {
  const { words, exact } = momentWords(at);
  return (
    <time dateTime={at} title={exact}>
      {words}
    </time>
  );
}

/** A slab's grade, or the condition of a card without one. */
export function conditionOf({ condition, grading }: CardRow): string | null {
  if (grading !== null) return `${grading.grader} ${grading.grade}`;
  return condition === null ? null : (conditionWords[condition] ?? condition);
}

/** Its cells are as wide in every row, since they share what room there is in the same way. */
export function widthOf({ width, least = width }: Column): { width: number; minWidth: number } {
  return { width, minWidth: least };
}

/** The least that columns take beside each other, in px. */
export function leastWidthOf(shown: readonly Column[]): number {
  return shown.reduce((sum, { width, least = width }) => sum + least, 0);
}

/** Every column there is but the card's own, which always comes first. */
export const columns: readonly Column[] = [
  { id: "set", label: "Set", width: 136, least: 88, cell: ({ set }) => set },
  {
    id: "number",
    label: "Number",
    width: 92,
    least: 86,
    sort: "set_number",
    cell: ({ number }) => number,
  },
  { id: "condition", label: "Condition", width: 120, least: 96, cell: conditionOf },
  {
    id: "stage",
    label: "Stage",
    width: 120,
    least: 104,
    field: "workflow_status",
    cell: ({ workflow_status: status }) => <StageMark status={status} />,
  },
  {
    id: "location",
    label: "Location",
    width: 108,
    least: 80,
    sort: "location",
    field: "location",
    cell: ({ location }) => location,
  },
  {
    id: "quantity",
    label: "Copies",
    width: 64,
    isNumber: true,
    cell: ({ quantity }) => quantity.toLocaleString(),
  },
  {
    id: "market",
    label: "Market",
    width: 104,
    least: 96,
    isNumber: true,
    isMoney: true,
    sort: "market_price",
    cell: ({ market_price: price }, currency) => amount(price, currency),
  },
  {
    id: "asking",
    label: "Asking",
    width: 104,
    least: 96,
    isNumber: true,
    isMoney: true,
    sort: "asking_price",
    field: "asking_price",
    cell: ({ asking_price: price }, currency) => amount(price, currency),
  },
  {
    id: "changed",
    label: "Changed",
    width: 124,
    sort: "updated_at",
    cell: ({ updated_at: at }) => moment(at),
  },
  {
    id: "created",
    label: "Added",
    width: 124,
    sort: "created_at",
    cell: ({ created_at: at }) => moment(at),
  },
  { id: "sku", label: "SKU", width: 128, cell: ({ sku }) => <span className="mono">{sku}</span> },
  { id: "batch", label: "Batch", width: 88, cell: ({ batch_code: code }) => code },
  { id: "game", label: "Game", width: 128, cell: ({ game }) => game },
  { id: "year", label: "Year", width: 64, isNumber: true, cell: ({ year }) => year },
  { id: "variant", label: "Variant", width: 112, cell: ({ variant }) => variant },
  { id: "rarity", label: "Rarity", width: 104, cell: ({ rarity }) => rarity },
  { id: "language", label: "Language", width: 88, cell: ({ language }) => language },
  {
    id: "cost",
    label: "Cost",
    width: 104,
    isNumber: true,
    isMoney: true,
    cell: ({ purchase_price: price }, currency) => amount(price, currency),
  },
  {
    id: "floor",
    label: "Floor",
    width: 104,
    isNumber: true,
    isMoney: true,
    cell: ({ price_floor: price }, currency) => amount(price, currency),
  },
  { id: "tags", label: "Tags", width: 152, cell: ({ tags }) => tags.join(", ") },
  {
    id: "review",
    label: "Review",
    width: 152,
    cell: ({ review_reason: reason }) => (reason === null ? null : reviewWords[reason]),
  },
  {
    id: "confidence",
    label: "Confidence",
    width: 96,
    isNumber: true,
    cell: ({ identification_confidence: share }) =>
      share === null ? null : `${Math.round(share * 100)} %`,
  },
  {
    id: "photos",
    label: "Photos",
    width: 64,
    isNumber: true,
    cell: ({ photo_count: count }) => (count === 0 ? null : count),
  },
];

const firstShown = [
  "set",
  "number",
  "condition",
  "stage",
  "location",
  "quantity",
  "market",
  "asking",
  "changed",
];

/** The columns of these names in their order; those that are shown at first for none. */
export function columnsOf(names: readonly string[] | undefined): readonly Column[] {
  const wanted = names ?? firstShown;
  return wanted.flatMap((name) => columns.find(({ id }) => id === name) ?? []);
}

/** What an address has to name: nothing where these are those that are shown at first. */
export function columnNames(shown: readonly Column[]): string[] | undefined {
  const names = shown.map(({ id }) => id);
  return names.join() === firstShown.join() ? undefined : names;
}
