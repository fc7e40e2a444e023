import type { LedgerSale, SalesGrouping, SalesSummary } from "@cardvault/contract";
import { ActionIcon, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useState } from "react";
import { formatAmount } from "../../parts/money.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { VoidSaleDialog } from "../../parts/void-sale.tsx";
import { refreshSales } from "./refresh-sales.ts";
import type { SalesSearch } from "./sales-search.ts";

type Group = SalesSummary["groups"][number];

const groupHeads: Record<SalesGrouping, string> = {
  month: "Month",
  day: "Day",
  batch: "Batch",
  card: "Card",
  place: "Place",
};

const monthWords = new Intl.DateTimeFormat(undefined, {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
export const dayWords = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeZone: "UTC",
});

/** A day or month of the contract is a date alone: the same in every time zone. */
function nameOf(by: SalesGrouping, { key, label }: Group): string {
  if (key === null) return by === "batch" ? "Without a batch" : "Not known";
  if (by === "day") return dayWords.format(Date.parse(key));
  if (by === "month") return monthWords.format(Date.parse(`${key}-01`));
  if (by === "place" && key === "ebay") return "eBay";
  return label ?? key;
}

export function LedgerGroups(props: {
  by: SalesGrouping;
  summary: SalesSummary;
  search: SalesSearch;
}) {
  const { by, summary, search } = props;
  const { currency } = summary.totals.revenue;
  if (summary.groups.length === 0)
    return <p className="cell-sub ledger-none">No sale in this time.</p>;
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">{groupHeads[by]}</th>
            <th scope="col" className="number">
              Sales
            </th>
            <th scope="col" className="number">
              Sold for, {currency}
            </th>
            <th scope="col" className="number">
              Fees
            </th>
            <th scope="col" className="number">
              Cost
            </th>
            <th scope="col" className="number">
              Profit
            </th>
          </tr>
        </thead>
        <tbody>
          {summary.groups.map((group) => (
            <tr key={group.key ?? "none"}>
              <td className="fill">
                <GroupName by={by} group={group} search={search} />
              </td>
              <td className="number">{group.sales.toLocaleString()}</td>
              <td className="number">{formatAmount(group.revenue)}</td>
              <td className="number">{formatAmount(group.fees)}</td>
              <td className="number">
                {formatAmount(group.cost)}
                {group.without_cost === 0 ? null : (
                  <span className="cell-sub">{group.without_cost} unknown</span>
                )}
              </td>
              <td className="number" data-loss={group.profit.amount < 0 ? "" : undefined}>
                {formatAmount(group.profit)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {summary.has_more_groups ? (
        <p className="cell-sub ledger-none">There are more; the file has every sale.</p>
      ) : null}
    </div>
  );
}

function GroupName({
  by,
  group,
  search,
}: {
  by: SalesGrouping;
  group: Group;
  search: SalesSearch;
}) {
  const name = nameOf(by, group);
  if (group.key === null || by === "month" || by === "place") return name;
  return (
    <Link to="/sales" search={{ ...search, tab: "ledger", [by]: group.key }}>
      {name}
    </Link>
  );
}

export function LedgerTable({ rows, currency }: { rows: readonly LedgerSale[]; currency: string }) {
  return (
    <div className="table-scroll">
      <table className="rows sales-rows">
        <thead>
          <tr>
            <th scope="col">Card</th>
            <th scope="col">Where</th>
            <th scope="col" className="number">
              Copies
            </th>
            <th scope="col" className="number">
              Sold for, {currency}
            </th>
            <th scope="col" className="number">
              Fee
            </th>
            <th scope="col" className="number">
              Cost
            </th>
            <th scope="col" className="number">
              Profit
            </th>
            <th scope="col">Sold</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((sale) => (
            <tr key={sale.id} data-cancelled={sale.state === "cancelled" ? "" : undefined}>
              <td className="fill">
                {sale.card_id === null ? (
                  sale.title
                ) : (
                  <Link to="/inventory/$id" params={{ id: sale.card_id }} className="sales-title">
                    {sale.title ?? "Card that is not identified"}
                  </Link>
                )}
                <span className="cell-sub">
                  <span className="mono">{sale.sku ?? "No SKU"}</span>
                  {sale.batch_code === null ? "" : ` · ${sale.batch_code}`}
                  {sale.note === null ? "" : ` · ${sale.note}`}
                </span>
              </td>
              <td className="narrow">
                {sale.kind === "marketplace" ? "eBay" : sale.place}
                {sale.order_id === null ? null : (
                  <span className="cell-sub mono">{sale.order_id}</span>
                )}
              </td>
              <SaleFigures sale={sale} />
              <td className="narrow">
                <RelativeTime at={sale.sold_at} />
              </td>
              <td className="narrow">
                {sale.kind === "by_hand" && sale.state === "counted" ? (
                  <VoidButton sale={sale} />
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SaleFigures({ sale }: { sale: LedgerSale }) {
  const { cancelled_quantity: cancelled, profit } = sale;
  const isCancelled = sale.state === "cancelled";
  const words = sale.kind === "by_hand" ? "void" : "cancelled";
  return (
    <>
      <td className="number">
        {sale.quantity.toLocaleString()}
        {cancelled === 0 ? null : (
          <span className="cell-sub">{isCancelled ? words : `${cancelled} cancelled`}</span>
        )}
      </td>
      <td className="number">
        {isCancelled ? <s>{formatAmount(sale.price)}</s> : formatAmount(sale.price)}
        {sale.refunded.amount === 0 ? null : (
          <span className="cell-sub">{formatAmount(sale.refunded)} refunded</span>
        )}
      </td>
      <td className="number">{sale.fee === null || isCancelled ? "—" : formatAmount(sale.fee)}</td>
      <td className="number">
        {sale.cost === null || isCancelled ? "—" : formatAmount(sale.cost)}
      </td>
      <td className="number" data-loss={profit !== null && profit.amount < 0 ? "" : undefined}>
        {profit === null || isCancelled ? "—" : formatAmount(profit)}
      </td>
    </>
  );
}

/** A sale that was recorded by mistake: its copies come back, and its line stays. */
function VoidButton({ sale }: { sale: LedgerSale }) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Tooltip label="Void: its copies come back">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Void the sale of ${sale.title ?? "the card"}`}
          onClick={() => setIsAsked(true)}
        >
          <IconArrowBackUp size={16} />
        </ActionIcon>
      </Tooltip>
      <VoidSaleDialog
        sale={isAsked ? sale : null}
        onVoided={refreshSales}
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
