import { Skeleton } from "@mantine/core";

/** Rows of the table that is on its way, at the heights it will have. */
export function TableSkeleton({ rows, columns }: { rows: number; columns: readonly number[] }) {
  return (
    <table className="rows" aria-busy="true" aria-label="Loading">
      <tbody>
        {Array.from({ length: rows + 1 }, (_, row) => (
          <tr key={row}>
            {columns.map((width, column) => (
              <td key={column}>
                <Skeleton height={row === 0 ? 10 : 12} width={width} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
