import type { WebhookEndpoint } from "@cardvault/contract";
import { deliveryStatuses, maxRedelivered } from "@cardvault/contract";
import { Button, Group, MultiSelect, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { EndpointSearch } from "../../app/search.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { EventFilter } from "../../parts/event-filter.tsx";
import { ListBody } from "../../parts/list-body.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { deliveryStatusWords } from "../../parts/words.ts";
import { DeliveryDrawer } from "../deliveries/delivery-drawer.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { useTimedList } from "./timed-list.ts";
import { useResend } from "../deliveries/resend.ts";

function useDeliveries(endpointId: string, search: EndpointSearch) {
  const { status, event, period, since, until } = search;
  const filters = {
    endpoint_id: endpointId,
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { event }),
  };
  const { list } = trpcClient.webhooks.deliveries;
  return useTimedList(
    [...trpc.webhooks.deliveries.list.pathKey(), filters],
    { period, since, until },
    (input, signal) => list.query({ ...filters, ...input }, { signal }),
  );
}

/** Everything sent to the endpoint; the filters live in the address. */
export function DeliveriesTab(props: { endpoint: WebhookEndpoint; onTest: () => void }) {
  const { id } = props.endpoint;
  const search = useSearch({ from: "/inside/settings/webhooks/$id" });
  const navigate = useNavigate({ from: "/settings/webhooks/$id" });
  const deliveries = useDeliveries(id, search);
  const resend = useResend();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  const rows = deliveries.data?.pages.flatMap((page) => page.data) ?? [];
  const selected = rows.filter((row) => chosen.has(row.id));
  const isFiltered = [search.status, search.event, search.period, search.since, search.until].some(
    (value) => value !== undefined,
  );
  const filter = (next: Partial<EndpointSearch>): void => {
    setChosen(new Set());
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  };

  return (
    <>
      <div className="bulk-bar">
        <MultiSelect
          aria-label="State"
          placeholder={search.status === undefined ? "Every state" : ""}
          size="xs"
          miw={160}
          maw={420}
          clearable
          clearButtonProps={{ "aria-label": "Every state" }}
          data={deliveryStatuses.map((value) => ({ value, label: deliveryStatusWords[value] }))}
          value={search.status ?? []}
          onChange={(values) => {
            const status = deliveryStatuses.filter((known) => values.includes(known));
            filter({ status: status.length > 0 ? status : undefined });
          }}
        />
        <EventFilter value={search.event} onChange={(event) => filter({ event })} />
        <TimeFilter value={search} onChange={filter} />
        {selected.length === 0 ? null : (
          <Group gap="xs" ml="auto">
            <Text component="output">{`${selected.length} selected`}</Text>
            <Button
              size="xs"
              disabled={
                resend.isBusy || !props.endpoint.enabled || selected.length > maxRedelivered
              }
              onClick={() =>
                void resend.some(selected.map((row) => row.id)).then(() => setChosen(new Set()))
              }
            >
              {selected.length > maxRedelivered ? `At most ${maxRedelivered}` : "Resend selected"}
            </Button>
          </Group>
        )}
      </div>
      <ListBody
        query={deliveries}
        shown={rows.length}
        total={deliveries.data?.pages[0]?.total}
        what="The deliveries"
        columns={[16, 240, 140, 90, 70, 60]}
        empty={
          isFiltered ? (
            <EmptyState
              title="No delivery matches"
              action={
                <Button
                  variant="default"
                  onClick={() => void navigate({ search: {}, replace: true })}
                >
                  Show every delivery
                </Button>
              }
            >
              Nothing was sent to this endpoint with these filters.
            </EmptyState>
          ) : (
            <EmptyState
              title="Nothing sent yet"
              action={
                <Button variant="default" onClick={props.onTest}>
                  Send test event
                </Button>
              }
            >
              Each event for this endpoint stands here with every attempt, what it took, and what
              your receiver answered.
            </EmptyState>
          )
        }
      >
        <DeliveryTable
          rows={rows}
          chosen={chosen}
          isBusy={resend.isBusy}
          onChoose={setChosen}
          onResend={(row) => void resend.one(row)}
        />
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
