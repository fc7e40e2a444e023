import type { DeliveryStatus, EventSummary } from "@cardvault/contract";
import { deliveryStatuses } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { EventsSearch } from "../../app/search.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { DeliveryChip } from "../../parts/delivery-chip.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { EventFilter } from "../../parts/event-filter.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { eventWords } from "../../parts/words.ts";
import { DeliveryDrawer } from "../deliveries/delivery-drawer.tsx";
import { EventDrawer } from "./event-drawer.tsx";

const pageSize = 50;
const refreshMs = 5_000;

function useEvents({ type }: EventsSearch) {
  const filters = type === undefined ? {} : { event: type };
  return useInfiniteQuery({
    queryKey: [...trpc.events.list.pathKey(), filters],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.events.list.query(
        { ...filters, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
    // A list that was scrolled through is left in peace.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refreshMs),
  });
}

/** Everything that happened, the newest first, and who was told of it. */
export function EventsPage() {
  const search = useSearch({ from: "/inside/events" });
  const navigate = useNavigate({ from: "/events" });
  const events = useEvents(search);
  const rows = events.data?.pages.flatMap((page) => page.data) ?? [];
  const filter = (type: EventsSearch["type"]) =>
    void navigate({ search: (before) => ({ ...before, type }), replace: true });
  return (
    <Page
      title="Events"
      lead="Everything that happened in this account, and which of your endpoints were told."
      action={
        <LinkButton to="/events/dropped" variant="default">
          Dropped events
        </LinkButton>
      }
    >
      <div className="panel">
        <div className="bulk-bar">
          <EventFilter value={search.type} onChange={filter} />
        </div>
        {events.isPending ? (
          <TableSkeleton rows={10} columns={[260, 180, 90]} />
        ) : events.isError && rows.length === 0 ? (
          <ProblemPanel
            error={events.error}
            what="The events"
            onRetry={() => void events.refetch()}
          />
        ) : rows.length === 0 ? (
          search.type === undefined ? (
            <EmptyState
              title="No events yet"
              action={
                <LinkButton to="/settings/webhooks" variant="default">
                  See your endpoints
                </LinkButton>
              }
            >
              An event stands here as soon as a card is identified or priced, a listing goes live or
              closes, or a batch is complete.
            </EmptyState>
          ) : (
            <EmptyState
              title="No event matches"
              action={
                <Button variant="default" onClick={() => filter(undefined)}>
                  Show every event
                </Button>
              }
            >
              No event of these types happened yet.
            </EmptyState>
          )
        ) : (
          <>
            <EventTable rows={rows} />
            <LoadMore query={events} shown={rows.length} total={events.data?.pages[0]?.total} />
          </>
        )}
      </div>
      <EventDrawer
        id={search.delivery === undefined ? search.event : undefined}
        onClose={() => void navigate({ search: ({ type }) => ({ type }), resetScroll: false })}
      />
      <DeliveryDrawer
        id={search.delivery}
        onClose={() =>
          void navigate({
            search: (before) => ({ ...before, delivery: undefined }),
            resetScroll: false,
          })
        }
      />
    </Page>
  );
}

function EventTable({ rows }: { rows: readonly EventSummary[] }) {
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">What happened</th>
            <th scope="col">Deliveries</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="narrow">
                <Link
                  from="/events"
                  resetScroll={false}
                  to="/events"
                  search={(before) => ({ ...before, event: row.id, delivery: undefined })}
                  className="mono"
                >
                  {row.event}
                </Link>
                <span className="cell-sub mono">{row.id}</span>
              </td>
              <td className="fill">
                <span className="clip">{eventWords[row.event]}</span>
              </td>
              <td className="narrow">
                <Deliveries deliveries={row.deliveries} />
              </td>
              <td className="narrow">
                <RelativeTime at={row.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Of each endpoint the latest generation: ids ascend in the order in which they were made. */
function latestOf(deliveries: EventSummary["deliveries"]): EventSummary["deliveries"] {
  const latest = new Map<string, EventSummary["deliveries"][number]>();
  for (const one of deliveries) {
    const known = latest.get(one.endpoint_id);
    if (known === undefined || known.id < one.id) latest.set(one.endpoint_id, one);
  }
  return [...latest.values()];
}

/** Each state that there is, once, with how many endpoints it is true of. */
function Deliveries({ deliveries }: Pick<EventSummary, "deliveries">) {
  if (deliveries.length === 0) return <span className="cell-sub">Nobody subscribed</span>;
  const latest = latestOf(deliveries);
  const states = deliveryStatuses.flatMap((status: DeliveryStatus) => {
    const count = latest.filter((one) => one.status === status).length;
    return count === 0 ? [] : [{ status, count }];
  });
  return (
    <span className="chips">
      {states.map(({ status, count }) => (
        <span key={status}>
          <DeliveryChip status={status} />
          {count === 1 ? null : ` × ${count.toLocaleString()}`}
        </span>
      ))}
    </span>
  );
}
