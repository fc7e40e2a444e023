/**
 * The value below which the given part of the numbers lies (nearest rank); NaN without numbers.
 * @param part from 0 to 1
 */
export function percentile(numbers: readonly number[], part: number): number {
  if (numbers.length === 0) return Number.NaN;
  const sorted = numbers.toSorted((one, other) => one - other);
  const rank = Math.max(1, Math.ceil(part * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  if (numbers.length % 2 === 1) return percentile(numbers, 0.5);
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

export function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}

/** Columns of equal width; the first is text, the others are numbers. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  return texts
    .map((row) =>
      row
        .map((text, column) =>
          column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join("\n");
}
