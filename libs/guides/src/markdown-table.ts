const rowOf = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** A table in Markdown; the cells may hold Markdown, but no bar of their own. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [
    rowOf(...head),
    rowOf(...head.map(() => "---")),
    ...rows.map((cells) => rowOf(...cells)),
  ].join("\n");
}
