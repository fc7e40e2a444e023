import "@mantine/charts/styles.css";
import { BarChart, LineChart } from "@mantine/charts";
import type { ChartProps } from "./chart.tsx";

const height = 220;
/** A reader of figures gets the table; a pointer gets the tooltip. Keys would stop at what is hidden. */
const quiet = { accessibilityLayer: false } as const;

/** What the chart's figures look like: in a file of its own, because the library is 130 KiB. */
export function ChartDrawing(props: ChartProps) {
  return (
    <div aria-hidden>
      <Drawing {...props} />
    </div>
  );
}

function Drawing(props: ChartProps) {
  const { kind, rows, series, format, onChoose } = props;
  const data = rows.map(({ label, values }) => ({ label, ...values }));
  const shared = {
    h: height,
    data,
    dataKey: "label",
    gridAxis: "x" as const,
    tickLine: "none" as const,
    strokeDasharray: "0",
    valueFormatter: format,
    withLegend: series.length > 1,
    tooltipAnimationDuration: 0,
    series: series.map(({ name, label, tone }) => ({
      name,
      label,
      color: `var(--vault-chart-${tone})`,
    })),
    yAxisProps: { width: 72 },
    xAxisProps: { minTickGap: 32, interval: "preserveStartEnd" as const },
  };
  if (kind === "line") {
    return (
      <LineChart
        {...shared}
        connectNulls
        curveType="linear"
        withDots={rows.length < 40}
        dotProps={{ r: 3, strokeWidth: 1 }}
        activeDotProps={{ r: 4, strokeWidth: 1 }}
        strokeWidth={2}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={quiet}
      />
    );
  }
  return (
    <BarChart
      {...shared}
      maxBarWidth={24}
      barProps={{
        radius: 2,
        isAnimationActive: false,
        ...(onChoose === undefined
          ? {}
          : {
              style: { cursor: "pointer" },
              onClick: (_bar, index) => {
                const row = rows[index];
                if (row !== undefined) onChoose(row);
              },
            }),
      }}
      barChartProps={quiet}
    />
  );
}
