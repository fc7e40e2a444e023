import type { EndpointTimelineEntry } from "@cardvault/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconBell, IconHistory } from "@tabler/icons-react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { actorWords, detailWords } from "../../parts/trail-words.ts";

const pageSize = 50;

/** Who changed the endpoint, and what the account was told of it. */
export function TimelineTab({ id }: { id: string }) {
  const timeline = useInfiniteQuery({
    queryKey: [...trpc.webhooks.endpoints.timeline.pathKey(), { id }],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.webhooks.endpoints.timeline.query(
        { id, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  if (timeline.isPending) return <TableSkeleton rows={6} columns={[240, 160, 90]} />;
  const rows = timeline.data?.pages.flatMap((page) => page.data) ?? [];
  if (timeline.isError && rows.length === 0) {
    return (
      <ProblemPanel
        error={timeline.error}
        what="The timeline"
        onRetry={() => void timeline.refetch()}
      />
    );
  }
  if (rows.length === 0) {
    return <EmptyState title="Nothing happened yet">Every change stands here.</EmptyState>;
  }
  return (
    <>
      <div className="table-scroll">
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">By</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      <LoadMore query={timeline} shown={rows.length} />
    </>
  );
}

function Entry({ entry }: { entry: EndpointTimelineEntry }) {
  const Shape = entry.kind === "notice" ? IconBell : IconHistory;
  const more = detailWords(entry);
  return (
    <tr>
      <td className="fill">
        <span className="timeline-what">
          <Shape size={16} stroke={1.6} aria-hidden />
          <span>
            {actionWords[entry.action] ?? entry.action.replaceAll(/[._]/g, " ")}
            {more === null ? null : <span className="cell-sub wrap">{more}</span>}
          </span>
        </span>
      </td>
      <td className="narrow">{byWords(entry)}</td>
      <td className="narrow">
        <RelativeTime at={entry.created_at} />
      </td>
    </tr>
  );
}

const actionWords: Record<string, string> = {
  "endpoint.created": "Added",
  "endpoint.updated": "Changed",
  "endpoint.removed": "Deleted",
  "endpoint.secret_rotated": "Secret rotated",
  "endpoint.secret_switched": "Switched to the new secret",
  "endpoint.disabled": "Disabled",
  "endpoint.recovery_started": "Recovery started",
  endpoint_failing: "Notice: it only fails",
  endpoint_disabled: "Notice: disabled",
  events_dropped: "Notice: events dropped",
};

function byWords({ actor, kind }: EndpointTimelineEntry): string {
  if (actor === null) return kind === "notice" ? "To the account" : "Card Vault";
  return actorWords(actor);
}
