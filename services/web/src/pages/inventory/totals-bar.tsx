import type { CardTotals } from "@cardvault/contract";
import { isUnread, NotRead } from "../../parts/not-read.tsx";
import type { Reading } from "../../parts/not-read.tsx";
import { formatMoney } from "../../parts/money.ts";
import { counted } from "../../parts/words.ts";

/** Below the list: how many cards match, and what they are worth. */
export function TotalsBar(props: {
  totals: CardTotals | undefined;
  /** How asking for them went. */
  reading: Reading;
  /** Places of the list that are known. */
  listed: number;
  isWhole: boolean;
  isCut: boolean;
}) {
  const { totals, reading, listed, isWhole, isCut } = props;
  return (
    <div className="totals-bar">
      <output>{countWords(totals, listed, isWhole, isUnread(reading))}</output>
      <NotRead reading={reading} what="The totals" />
      {totals === undefined || totals.quantity === null ? null : (
        <dl className="totals">
          <Total label="Copies">{totals.quantity.toLocaleString()}</Total>
          {totals.asking_value === null ? null : (
            <Total label="Asking">{formatMoney(totals.asking_value)}</Total>
          )}
          {totals.market_value === null ? null : (
            <Total label="Market">{formatMoney(totals.market_value)}</Total>
          )}
          {totals.cost === null ? null : <Total label="Cost">{formatMoney(totals.cost)}</Total>}
        </dl>
      )}
      {isCut ? (
        <span className="cell-sub">
          {`The first ${listed.toLocaleString()} are listed. Narrow the list to see the others.`}
        </span>
      ) : null}
    </div>
  );
}

function countWords(
  totals: CardTotals | undefined,
  listed: number,
  isWhole: boolean,
  isFailed: boolean,
): string {
  // The list itself knows best, once all of it is there.
  if (isWhole) return counted(listed, "card");
  if (totals === undefined) return isFailed ? "Not counted" : "Counting";
  return `${totals.count.toLocaleString()}${totals.has_more ? "+" : ""} cards`;
}

function Total({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
