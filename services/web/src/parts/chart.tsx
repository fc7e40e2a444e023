import "./chart.css";
import { Skeleton, Title } from "@mantine/core";
import { Suspense, useId } from "react";
import type { ReactNode } from "react";
import { lazyPart } from "../app/lazy-part.tsx";

const ChartDrawing = lazyPart(() =>
  import("./chart-drawing.tsx").then((file) => file.ChartDrawing),
);
const height = 220;

/** One place on the chart's axis: a day, a moment. */
export interface ChartRow {
  /** Stays the same while the figures change. */
  key: string;
  label: string;
  /** By the series' names; null where there is none. */
  values: Readonly<Record<string, number | null>>;
}

export interface ChartSeries {
  name: string;
  label: string;
  tone: "accent" | "good" | "warning" | "quiet";
}

export interface ChartProps {
  kind: "bars" | "line";
  rows: readonly ChartRow[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  /** Where a bar leads. The table's rows lead there too, by `linkTo`. */
  onChoose?: (row: ChartRow) => void;
}

/**
 * A chart under the question that it answers. The answer stands in words beside it, and the figures in a
 * table: the drawing, which is loaded by itself, says nothing that these do not.
 */
export function Chart(
  props: ChartProps & {
    question: string;
    answer: ReactNode;
    /** What a row is: "Day". */
    rowLabel: string;
    linkTo?: (row: ChartRow, label: string) => ReactNode;
  },
) {
  const { question, answer, rows, series } = props;
  const id = useId();
  const told = rows.filter((row) => series.some(({ name }) => (row.values[name] ?? 0) !== 0));
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption>
        <Title order={2} id={id}>
          {question}
        </Title>
        <p className="chart-answer">{answer}</p>
      </figcaption>
      {told.length === 0 ? null : <Figures {...props} told={told} />}
    </figure>
  );
}

/** The drawing, and the table of the rows of which there is something to tell. */
function Figures(
  props: ChartProps & {
    rowLabel: string;
    told: readonly ChartRow[];
    linkTo?: (row: ChartRow, label: string) => ReactNode;
  },
) {
  const { rowLabel, told, linkTo, ...drawing } = props;
  const { series, format } = drawing;
  return (
    <>
      <div className="chart-drawing">
        <Suspense fallback={<Skeleton height={height} />}>
          <ChartDrawing {...drawing} />
        </Suspense>
      </div>
      <details className="chart-figures">
        <summary>The figures as a table</summary>
        <div className="table-scroll">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">{rowLabel}</th>
                {series.map(({ name, label }) => (
                  <th key={name} scope="col" className="number">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {told.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{linkTo === undefined ? row.label : linkTo(row, row.label)}</th>
                  {series.map(({ name }) => {
                    const value = row.values[name];
                    return (
                      <td key={name} className="number">
                        {value === null || value === undefined ? "–" : format(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}
