import type { EndpointTimelineEntry } from "@cardvault/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconBell, IconHistory } from "@tabler/icons-react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { counted, rotationWords } from "../../parts/words.ts";

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
      <td className="narrow">{actorWords(entry)}</td>
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

function actorWords({ actor, kind }: EndpointTimelineEntry): string {
  if (actor === null) return kind === "notice" ? "To the account" : "Card Vault";
  if (actor.name !== null) return actor.name;
  return actor.kind === "system" ? "Card Vault" : `A ${actor.kind}`;
}

/** What was changed, in words; nothing for a member that these pages do not know. */
function detailWords({ details }: EndpointTimelineEntry): string | null {
  const said: string[] = [];
  if (details["enabled"] === true) said.push("enabled");
  if (details["enabled"] === false) said.push("disabled");
  if (typeof details["url"] === "string") said.push(`address ${details["url"]}`);
  if (Array.isArray(details["events"])) said.push(counted(details["events"].length, "event type"));
  if (typeof details["description"] === "string") said.push(`“${details["description"]}”`);
  const moment = details["switch"];
  if (typeof moment === "string" && moment in rotationWords) {
    said.push(`signs ${rotationWords[moment as keyof typeof rotationWords].toLowerCase()}`);
  }
  if (typeof details["since"] === "string") said.push(`since ${exactWords(details["since"])}`);
  if (details["reason"] === "gone") said.push("it answered 410");
  if (details["reason"] === "failing") said.push("it only failed for five days");
  if (typeof details["failing_since"] === "string") {
    said.push(`failing since ${exactWords(details["failing_since"])}`);
  }
  if (typeof details["dropped"] === "number") {
    said.push(`${counted(details["dropped"], "event")} dropped`);
  }
  if (typeof details["count"] === "number") said.push(counted(details["count"], "event"));
  return said.length === 0 ? null : said.join(", ");
}

function exactWords(moment: string): string {
  return new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
