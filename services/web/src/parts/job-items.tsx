import type { Job, JobItem } from "@cardvault/contract";
import { Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAccountId } from "../app/account.ts";
import { trpc, trpcClient } from "../app/trpc.ts";
import { isUnderWay, reasonWords } from "./job-words.ts";
import { LoadMore } from "./load-more.tsx";
import { ProblemPanel } from "./problem-panel.tsx";

const pageSize = 50;
const refreshMs = 4_000;

/** The cards that a job skipped or could not change, each with its reason. */
export function JobItems({ job }: { job: Job }) {
  const accountId = useAccountId();
  const items = useInfiniteQuery({
    // Once more when it ends, goes on or is tried again; until that is there, what was shown stays.
    queryKey: [...trpc.jobs.items.pathKey(), job.id, job.status],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.jobs.items.query(
        {
          id: job.id,
          remarked: true,
          limit: pageSize,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before, of) => (of?.queryKey.includes(job.id) === true ? before : undefined),
    // A list that was scrolled through is left in peace.
    refetchInterval: ({ state }) =>
      isUnderWay(job) && (state.data?.pages.length ?? 0) <= 1 ? refreshMs : false,
  });
  if (items.isPending) {
    return (
      <div className="job-items" aria-busy="true">
        <Skeleton height={12} mt={12} />
        <Skeleton height={12} mt={12} width="60%" />
      </div>
    );
  }
  if (items.data === undefined) {
    return (
      <ProblemPanel error={items.error} what="The reasons" onRetry={() => void items.refetch()} />
    );
  }
  const rows = items.data.pages.flatMap(({ data }) => data);
  return (
    <div className="job-items">
      <ul>
        {rows.map((item) => (
          <Item key={item.card.id} item={item} />
        ))}
      </ul>
      <LoadMore query={items} shown={rows.length} />
      <a
        href={`/trpc/files/job-items?${new URLSearchParams({ account: accountId ?? "", job: job.id }).toString()}`}
        download
      >
        All of them as CSV
      </a>
    </div>
  );
}

function Item({ item: { card, outcome, message, code, details } }: { item: JobItem }) {
  return (
    <li>
      <Link to="/inventory/$id" params={{ id: card.id }}>
        {card.title ?? card.sku ?? "Card without a title"}
      </Link>
      {card.sku === null ? null : <span className="mono"> {card.sku}</span>}
      <span className="cell-sub wrap">
        {outcome === "failed" ? "Failed: " : "Left as it was: "}
        {message ?? (code === null ? outcome : reasonWords(code))}
        {details?.map(({ path, message: what }) => ` ${path.replaceAll("_", " ")}: ${what}.`)}
      </span>
    </li>
  );
}
