import { Button } from "@mantine/core";
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
  total?: number | undefined;
}) {
  const { query, shown, total } = props;
  return (
    <div className="list-end">
      <span className="cell-sub">
        {total === undefined || total < shown
          ? `${shown.toLocaleString()} shown`
          : `${shown.toLocaleString()} of ${total.toLocaleString()} shown`}
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
