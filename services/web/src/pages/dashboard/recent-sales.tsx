import type { RecentSale } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { formatMoney } from "../../parts/money.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SectionHead } from "../../parts/section.tsx";

/** The latest sales, on the marketplace and elsewhere. */
export function RecentSales({ sales }: { sales: readonly RecentSale[] }) {
  return (
    <section className="panel recent-sales" aria-labelledby="recent">
      <SectionHead id="recent" title="Recent sales">
        {sales.length === 0 ? null : (
          <Link to="/sales" search={{ tab: "ledger", period: "all" }}>
            All sales
          </Link>
        )}
      </SectionHead>
      {sales.length === 0 ? (
        <p className="cell-sub">
          A sale on the marketplace stands here by itself; one made elsewhere once it is recorded.
        </p>
      ) : (
        <ul>
          {sales.map((sale) => (
            <li key={`${sale.listing_id ?? sale.card_id} ${sale.sold_at}`}>
              <Link to="/inventory/$id" params={{ id: sale.card_id }} className="sale-title">
                {sale.title ?? "Card that is not identified"}
              </Link>
              <span className="sale-amount">{formatMoney(sale.amount)}</span>
              <span className="cell-sub">
                {sale.quantity > 1 ? `${sale.quantity.toLocaleString()} copies, ` : ""}
                {sale.listing_id === null ? "by hand" : "marketplace"}
              </span>
              <span className="cell-sub sale-amount">
                <RelativeTime at={sale.sold_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
