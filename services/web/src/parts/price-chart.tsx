import type { PriceHistory, PriceKind } from "@cardvault/contract";
import { Chart } from "./chart.tsx";
import type { ChartRow, ChartSeries } from "./chart.tsx";
import { digitsOf, formatMoney } from "./money.ts";
import { counted } from "./words.ts";

type Point = PriceHistory["data"][number];

export const priceKindWords: Record<PriceKind, string> = {
  sold: "sold",
  asking: "asked",
  guide: "guide",
};

const sourceNames: Record<string, string> = {
  cardsight: "CardSight",
  pricecharting: "PriceCharting",
  tcgdex: "TCGdex",
  scryfall: "Scryfall",
  ebay_browse: "eBay",
  ebay: "eBay",
};

/** Who says what a card is worth, as a person names it. */
export function sourceName(source: string): string {
  return sourceNames[source] ?? source.replaceAll("_", " ");
}

const tones: readonly ChartSeries["tone"][] = ["accent", "good", "warning", "quiet"];
/** More lines than these nobody tells apart; the table of the latest quotes has all. */
const mostLines = tones.length;
const dayWords = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** What sources said of a card over time: those in the account's currency, what was sold first. */
export function PriceChart({ points, currency }: { points: readonly Point[]; currency: string }) {
  const shown = points.filter(({ quote }) => quote.price?.currency === currency);
  const series = seriesOf(shown);
  const whole = 10 ** digitsOf(currency);
  const amounts = shown.map(({ quote }) => quote.price?.amount ?? 0);
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  return (
    <Chart
      kind="line"
      question="What was it worth over time?"
      answer={
        shown.length === 0 ? (
          `No source has named a price in ${currency} yet.`
        ) : (
          <>
            <strong>
              {low === high
                ? formatMoney({ amount: low, currency })
                : `${formatMoney({ amount: low, currency })} to ${formatMoney({ amount: high, currency })}`}
            </strong>{" "}
            from {counted(shown.length, "quote")}
          </>
        )
      }
      rowLabel="Day"
      rows={rowsOf(shown, whole)}
      series={series}
      format={(value) => formatMoney({ amount: Math.round(value * whole), currency })}
    />
  );
}

function nameOf({ source, kind }: Point["quote"]): string {
  return `${source}_${kind}`.replaceAll(/[^a-z0-9_]/gi, "_");
}

function seriesOf(points: readonly Point[]): ChartSeries[] {
  const order: readonly PriceKind[] = ["sold", "guide", "asking"];
  const found = new Map(points.map(({ quote }) => [nameOf(quote), quote]));
  return [...found]
    .sort(([, one], [, other]) => order.indexOf(one.kind) - order.indexOf(other.kind))
    .slice(0, mostLines)
    .map(([name, { source, kind }], index) => ({
      name,
      label: `${sourceName(source)}, ${priceKindWords[kind]}`,
      tone: tones[index] ?? "quiet",
    }));
}

/** One row a day: sources are asked together. */
function rowsOf(points: readonly Point[], whole: number): ChartRow[] {
  const days = new Map<string, Record<string, number | null>>();
  for (const { quoted_at: at, quote } of points) {
    const day = at.slice(0, 10);
    const values = days.get(day) ?? {};
    values[nameOf(quote)] = quote.price === null ? null : quote.price.amount / whole;
    days.set(day, values);
  }
  return [...days].map(([day, values]) => ({
    key: day,
    label: dayWords.format(Date.parse(day)),
    values,
  }));
}
