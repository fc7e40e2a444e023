import type { DroppedDelivery } from "@cardvault/contract";
import { LinkButton } from "../../parts/link-button.tsx";
import { Button, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { counted } from "../../parts/words.ts";
import { useResend } from "../deliveries/resend.ts";
import { DismissDialog } from "./dismiss-dialog.tsx";
import type { DismissTarget } from "./dismiss-dialog.tsx";
import { DroppedTable } from "./dropped-table.tsx";

const pageSize = 50;

/** Events that an endpoint never got: sent again from here, or put aside with a note. */
export function DroppedPage() {
  const { endpoint } = useSearch({ from: "/inside/events/dropped" });
  // Another filter is another list: its selection begins empty.
  return <DroppedList key={endpoint} endpointId={endpoint} />;
}

function useDropped(endpointId: string | undefined) {
  const filters = endpointId === undefined ? {} : { endpoint_id: endpointId };
  return useInfiniteQuery({
    queryKey: [...trpc.events.dropped.pathKey(), filters],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.events.dropped.query(
        { ...filters, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // The worker adds to it at any time.
    staleTime: 0,
  });
}

function DroppedList({ endpointId }: { endpointId: string | undefined }) {
  const dropped = useDropped(endpointId);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [dismissing, setDismissing] = useState<DismissTarget | null>(null);
  const redeliver = useResend();

  const rows = dropped.data?.pages.flatMap((page) => page.data) ?? [];
  const total = dropped.data?.pages.at(-1)?.total ?? 0;
  const selected = rows.filter((row) => chosen.has(row.delivery_id));

  return (
    <Page
      title="Dropped events"
      lead="Your receiver never got these. Send them again once it can answer, or dismiss what no longer matters; nothing is dropped silently."
      action={
        <LinkButton to="/events" variant="default">
          Every event
        </LinkButton>
      }
    >
      <div className="panel">
        {dropped.isPending ? (
          <TableSkeleton rows={8} columns={[16, 180, 220, 130, 80, 60, 90]} />
        ) : dropped.isError && rows.length === 0 ? (
          <ProblemPanel
            error={dropped.error}
            what="The dropped events"
            onRetry={() => void dropped.refetch()}
          />
        ) : (
          <>
            {rows.length === 0 && endpointId === undefined ? null : (
              <DroppedBar
                endpointId={endpointId}
                endpointUrl={rows[0]?.endpoint_url}
                total={total}
                selected={selected}
                isBusy={redeliver.isBusy}
                onRedeliver={(some) => {
                  const ids = some.map((row) => row.delivery_id);
                  void redeliver.dropped(ids).then(() => setChosen(new Set()));
                }}
                onRedeliverAll={(id) => void redeliver.allDropped(id)}
                onDismiss={setDismissing}
              />
            )}
            {rows.length === 0 ? (
              <NothingDropped isFiltered={endpointId !== undefined} />
            ) : (
              <>
                <DroppedTable
                  rows={rows}
                  chosen={chosen}
                  isBusy={redeliver.isBusy}
                  onChoose={setChosen}
                  onRedeliver={(row) => void redeliver.one(row)}
                  onDismiss={(row) => setDismissing({ kind: "some", rows: [row] })}
                />
                <LoadMore query={dropped} shown={rows.length} total={total} />
              </>
            )}
          </>
        )}
      </div>
      <DismissDialog
        target={dismissing}
        onClose={() => setDismissing(null)}
        onDone={() => {
          setDismissing(null);
          setChosen(new Set());
        }}
      />
    </Page>
  );
}

function DroppedBar(props: {
  endpointId: string | undefined;
  endpointUrl: string | undefined;
  total: number;
  selected: readonly DroppedDelivery[];
  isBusy: boolean;
  onRedeliver: (rows: readonly DroppedDelivery[]) => void;
  onRedeliverAll: (endpointId: string) => void;
  onDismiss: (target: DismissTarget) => void;
}) {
  const { endpointId, selected, isBusy } = props;
  const ready = selected.filter((row) => row.can_redeliver);
  return (
    <div className="bulk-bar">
      {endpointId === undefined ? null : (
        <LinkButton
          to="/events/dropped"
          search={{}}
          variant="default"
          size="xs"
          rightSection={<IconX size={14} aria-hidden />}
        >
          <span className="visually-hidden">Show every endpoint, not only </span>
          <span className="clip mono">{props.endpointUrl ?? "One endpoint"}</span>
        </LinkButton>
      )}
      <Text component="output">
        {selected.length > 0
          ? `${selected.length} selected`
          : counted(props.total, "dropped event")}
      </Text>
      <Group gap="xs" ml="auto">
        {selected.length > 0 ? (
          <>
            <Button
              size="xs"
              disabled={isBusy || ready.length === 0}
              onClick={() => props.onRedeliver(ready)}
            >
              {ready.length === selected.length || ready.length === 0
                ? "Redeliver selected"
                : `Redeliver ${ready.length} of ${selected.length}`}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={isBusy}
              onClick={() => props.onDismiss({ kind: "some", rows: selected })}
            >
              Dismiss selected…
            </Button>
          </>
        ) : endpointId !== undefined && props.endpointUrl !== undefined ? (
          <>
            <Button size="xs" disabled={isBusy} onClick={() => props.onRedeliverAll(endpointId)}>
              Redeliver all of this endpoint
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={isBusy}
              onClick={() =>
                props.onDismiss({ kind: "endpoint", endpointId, url: props.endpointUrl ?? "" })
              }
            >
              Dismiss all…
            </Button>
          </>
        ) : null}
      </Group>
    </div>
  );
}

function NothingDropped({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      title="Nothing dropped for this endpoint"
      action={
        <LinkButton to="/events/dropped" search={{}} variant="default">
          Show every endpoint
        </LinkButton>
      }
    >
      Every event for it was delivered, is on its way, or was dismissed.
    </EmptyState>
  ) : (
    <EmptyState
      title="No dropped events"
      action={
        <LinkButton to="/settings/webhooks" variant="default">
          See your endpoints
        </LinkButton>
      }
    >
      Every event was delivered, is on its way, or was dismissed. An event comes to stand here when
      its last retry fails, or its endpoint is disabled.
    </EmptyState>
  );
}
