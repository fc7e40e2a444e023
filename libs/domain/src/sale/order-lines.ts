import { shareFee } from "./share-fee.ts";

/** A line of an order as the ledger has it. Amounts are minor units of the line's currency. */
export type LedgerLine = {
  lineId: string;
  quantity: number;
  total: number;
  cancelledQuantity: number;
  cancelledTotal: number;
  refunded: number;
  /** Null until the marketplace says. */
  fee: number | null;
  isPaid: boolean;
};

/** An order as the marketplace shows it now. */
export type OrderNow = {
  isCancelled: boolean;
  isPaid: boolean;
  /** For the whole order. */
  fee: number | null;
  lines: readonly {
    lineId: string;
    quantity: number;
    total: number;
    /** What was given back to the buyer without a copy coming back; 0 where the order does not tell. */
    refunded?: number | undefined;
  }[];
};

/** What a look at an order means for one of its lines. */
export type LineChange = {
  lineId: string;
  isNew: boolean;
  line: LedgerLine;
  /** Copies that are sold by this look: of a line that is new, and not cancelled by then. */
  sold: number;
  /** What is cancelled by this look of what was sold before it. */
  cancelled: { quantity: number; total: number } | null;
};

/**
 * What is new in an order that may have been read before. What was cancelled stays cancelled, and what was sold
 * stays written down beside it, so an order can be read any number of times. A line that the order does not have
 * any more is cancelled. An order never grows: more copies than at first are none.
 * @returns only what changes, in the order of the lines, those that are gone at the end
 */
export function lineChanges(known: readonly LedgerLine[], order: OrderNow): LineChange[] {
  const before = new Map(known.map((line) => [line.lineId, line]));
  const now = new Map(order.lines.map((line) => [line.lineId, line]));
  const ids = [...new Set([...now.keys(), ...before.keys()])];
  const fees = feesOf(order);
  return ids.flatMap((lineId) => {
    const seen = now.get(lineId);
    const line = before.get(lineId);
    const fee = fees.get(lineId) ?? line?.fee ?? null;
    const left = order.isCancelled || seen === undefined ? none : seen;
    if (line === undefined) return seen === undefined ? [] : [newLine(seen, order, fee)];
    const after = laterLine(line, left, order, fee);
    return isSame(line, after) ? [] : [{ ...changeOf(line, after), lineId, isNew: false }];
  });
}

const none = { quantity: 0, total: 0, refunded: 0 };

function feesOf({ fee, lines }: OrderNow): ReadonlyMap<string, number> {
  if (fee === null) return new Map();
  const shares = shareFee(
    fee,
    lines.map(({ total }) => total),
  );
  return new Map(lines.map(({ lineId }, index) => [lineId, shares[index] ?? 0]));
}

function newLine(
  { lineId, quantity, total, refunded = 0 }: OrderNow["lines"][number],
  { isCancelled, isPaid }: OrderNow,
  fee: number | null,
): LineChange {
  const line: LedgerLine = {
    lineId,
    quantity,
    total,
    cancelledQuantity: isCancelled ? quantity : 0,
    cancelledTotal: isCancelled ? total : 0,
    refunded: isCancelled ? 0 : Math.min(refunded, total),
    fee,
    isPaid,
  };
  return { lineId, isNew: true, line, sold: isCancelled ? 0 : quantity, cancelled: null };
}

function laterLine(
  line: LedgerLine,
  left: { quantity: number; total: number; refunded?: number | undefined },
  { isPaid }: OrderNow,
  fee: number | null,
): LedgerLine {
  const cancelledQuantity = Math.max(line.cancelledQuantity, line.quantity - left.quantity);
  const missing = Math.max(0, line.total - left.total);
  if (cancelledQuantity === line.quantity) {
    return { ...line, cancelledQuantity, cancelledTotal: line.total, refunded: 0, fee, isPaid };
  }
  // Copies that were cancelled take with them what the line is worth less now; without any it is a refund.
  const cancelledTotal =
    cancelledQuantity > line.cancelledQuantity
      ? Math.max(line.cancelledTotal, missing)
      : line.cancelledTotal;
  const refunded = Math.max(line.refunded, left.refunded ?? 0, missing - cancelledTotal);
  const most = line.total - cancelledTotal;
  return {
    ...line,
    cancelledQuantity,
    cancelledTotal,
    refunded: Math.min(refunded, most),
    fee,
    isPaid: line.isPaid || isPaid,
  };
}

function changeOf(before: LedgerLine, after: LedgerLine): Omit<LineChange, "lineId" | "isNew"> {
  const quantity = after.cancelledQuantity - before.cancelledQuantity;
  const total = after.cancelledTotal - before.cancelledTotal;
  return { line: after, sold: 0, cancelled: quantity > 0 ? { quantity, total } : null };
}

function isSame(one: LedgerLine, other: LedgerLine): boolean {
  return (Object.keys(one) as (keyof LedgerLine)[]).every((name) => one[name] === other[name]);
}
