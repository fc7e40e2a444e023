import type { MissingEvent, WebhookEndpoint } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { IconCircleOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { DeliveryState } from "../../parts/delivery-chip.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ListBody } from "../../parts/list-body.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { DeliveryDrawer } from "../deliveries/delivery-drawer.tsx";
import { defaultSince, SinceField } from "./since.tsx";

const pageSize = 50;
const refreshMs = 4_000;

/** What the receiver does not have: every event since a moment that it was not sent with success. */
export function MissingTab(props: {
  endpoint: WebhookEndpoint;
  onRecover: (since: string) => void;
}) {
  const { id, enabled } = props.endpoint;
  const search = useSearch({ from: "/inside/settings/webhooks/$id" });
  const navigate = useNavigate({ from: "/settings/webhooks/$id" });
  const [first] = useState(defaultSince);
  const since = search.since ?? first;
  const missing = useMissing(id, since);
  const rows = missing.data?.pages.flatMap((page) => page.data) ?? [];
  const lookedUntil = missing.data?.pages.at(-1)?.looked_until;
  const isLooking = missing.isFetching && rows.length === 0;
  return (
    <>
      <div className="bulk-bar">
        <SinceField
          label="Missing since"
          value={since}
          failingSince={null}
          size="xs"
          onChange={(next) =>
            void navigate({ search: (before) => ({ ...before, since: next }), replace: true })
          }
        />
        {lookedUntil === undefined ? null : (
          <span className="cell-sub">
            Looked at everything before <RelativeTime at={lookedUntil} />
          </span>
        )}
        {rows.length === 0 ? null : (
          <Button size="xs" ml="auto" disabled={!enabled} onClick={() => props.onRecover(since)}>
            Recover what is missing…
          </Button>
        )}
      </div>
      <ListBody
        query={{ ...missing, isPending: missing.isPending || isLooking }}
        shown={rows.length}
        what="What is missing"
        columns={[260, 140, 90]}
        skeletonRows={6}
        empty={
          <EmptyState
            title="Nothing is missing"
            action={
              <Button variant="default" onClick={() => void missing.refetch()}>
                Look again
              </Button>
            }
          >
            Every event of the subscribed types since then was answered with a 2xx by this endpoint.
          </EmptyState>
        }
      >
        <MissingTable endpointId={id} rows={rows} />
      </ListBody>
      <DeliveryDrawer
        id={search.delivery}
        onClose={() =>
          void navigate({
            search: (before) => ({ ...before, delivery: undefined }),
            resetScroll: false,
          })
        }
      />
    </>
  );
}

function useMissing(id: string, since: string) {
  const query = useInfiniteQuery({
    queryKey: [...trpc.webhooks.endpoints.missing.pathKey(), { id, since }],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.webhooks.endpoints.missing.query(
        { id, since, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
    // What is on its way arrives by itself. Pages that held nothing are looked at again too.
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      const rows = pages.flatMap((page) => page.data);
      const isOnItsWay = rows.some(({ status }) => status === "pending" || status === "retrying");
      return isOnItsWay && rows.length <= pageSize ? refreshMs * pages.length : false;
    },
  });
  // A page looks at a bounded number of events, and may hold none of those that are missing.
  const found = query.data?.pages.some((page) => page.data.length > 0) ?? false;
  const goOn = !found && query.hasNextPage && !query.isFetching && !query.isError;
  const { fetchNextPage } = query;
  useEffect(() => {
    if (goOn) void fetchNextPage();
  }, [goOn, fetchNextPage]);
  return query;
}

function MissingTable({ endpointId, rows }: { endpointId: string; rows: readonly MissingEvent[] }) {
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">State</th>
            <th scope="col">Happened</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.event_id}>
              <td className="fill">
                {row.delivery_id === null ? (
                  <Link to="/events" search={{ event: row.event_id }} className="mono clip">
                    {row.event}
                  </Link>
                ) : (
                  <Link
                    from="/settings/webhooks/$id"
                    resetScroll={false}
                    to="/settings/webhooks/$id"
                    params={{ id: endpointId }}
                    search={(before) => ({ ...before, delivery: row.delivery_id ?? undefined })}
                    className="mono clip"
                  >
                    {row.event}
                  </Link>
                )}
                <span className="cell-sub mono clip">{row.event_id}</span>
              </td>
              <td className="narrow">
                {row.status === "never_sent" ? (
                  <Chip tone="warning" icon={IconCircleOff}>
                    Never sent
                  </Chip>
                ) : (
                  <DeliveryState row={{ ...row, status: row.status }} />
                )}
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
