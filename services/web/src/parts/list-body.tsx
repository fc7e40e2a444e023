import type { ReactNode } from "react";
import { LoadMore } from "./load-more.tsx";
import { ProblemPanel } from "./problem-panel.tsx";
import { TableSkeleton } from "./table-skeleton.tsx";

/** A list that is loaded page by page: its skeleton, what is wrong, what stands where nothing is, or its rows. */
export function ListBody(props: {
  query: {
    isPending: boolean;
    isError: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    error: unknown;
    fetchNextPage: () => unknown;
    refetch: () => unknown;
  };
  /** How many rows are there to be shown. */
  shown: number;
  total?: number | null | undefined;
  /** What could not be loaded: "The deliveries". */
  what: string;
  /** Widths of the columns that will be. */
  columns: readonly number[];
  skeletonRows?: number;
  empty: ReactNode;
  children: ReactNode;
}) {
  const { query, shown, total, what, columns, skeletonRows = 8, empty, children } = props;
  if (query.isPending) return <TableSkeleton rows={skeletonRows} columns={columns} />;
  if (query.isError && shown === 0) {
    return <ProblemPanel error={query.error} what={what} onRetry={() => void query.refetch()} />;
  }
  if (shown === 0) return <>{empty}</>;
  return (
    <>
      {children}
      <LoadMore query={query} shown={shown} total={total} />
    </>
  );
}
