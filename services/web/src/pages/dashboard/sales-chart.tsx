import type { SalesDay } from "@cardvault/contract";
import { Link, useNavigate } from "@tanstack/react-router";
import { Chart } from "../../parts/chart.tsx";
import type { ChartRow } from "../../parts/chart.tsx";
import { digitsOf, formatMoney } from "../../parts/money.ts";
import { counted } from "../../parts/words.ts";

/** A day of the contract is a date alone: it is the same day in every time zone. */
const dayWords = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

function linkToDay({ key: day }: ChartRow, label: string) {
  return (
    <Link to="/sales" search={{ tab: "ledger", day }}>
      {label}
    </Link>
  );
}

/** What was sold in the last 30 days, the account's own days. */
export function SalesChart({ days }: { days: readonly SalesDay[] }) {
  const navigate = useNavigate();
  const currency = days[0]?.amount.currency ?? "USD";
  const whole = 10 ** digitsOf(currency);
  const sales = days.reduce((sum, day) => sum + day.sales, 0);
  const amount = days.reduce((sum, day) => sum + day.amount.amount, 0);
  return (
    <Chart
      kind="bars"
      question="What sold in the last 30 days?"
      answer={
        sales === 0 ? (
          "Nothing was sold in these days."
        ) : (
          <>
            <strong>{formatMoney({ amount, currency })}</strong> from{" "}
            <Link to="/sales" search={{ tab: "ledger", period: "30d", by: "day" }}>
              {counted(sales, "sale")}
            </Link>
          </>
        )
      }
      rowLabel="Day"
      onChoose={({ key: day }) => void navigate({ to: "/sales", search: { tab: "ledger", day } })}
      linkTo={linkToDay}
      rows={days.map(({ day, amount: money }) => ({
        key: day,
        label: dayWords.format(Date.parse(day)),
        values: { amount: money.amount / whole },
      }))}
      series={[{ name: "amount", label: "Sold", tone: "accent" }]}
      format={(value) => formatMoney({ amount: Math.round(value * whole), currency })}
    />
  );
}
