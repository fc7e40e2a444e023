import { Button } from "@mantine/core";
import { maxExactCount } from "@cardvault/contract";
import { ProblemNote } from "./problem-panel.tsx";

/** Below a list that is loaded page by page: how much stands there, and the next page. */
export function LoadMore(props: {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    error: unknown;
    fetchNextPage: () => unknown;
  };
  shown: number;
  /** As a list answers it: above `maxExactCount` there are others that nobody has counted. */
  total?: number | null | undefined;
}) {
  const { query, shown, total } = props;
  return (
    <div className="list-end">
      <span className="cell-sub">
        {total == null || total < shown
          ? `${shown.toLocaleString()} shown`
          : `${shown.toLocaleString()} of ${totalWords(total)} shown`}
      </span>
      {query.hasNextPage ? (
        <Button
          variant="default"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more
        </Button>
      ) : null}
      <ProblemNote error={query.error} />
    </div>
  );
}

function totalWords(total: number): string {
  return total > maxExactCount ? `${maxExactCount.toLocaleString()}+` : total.toLocaleString();
}
