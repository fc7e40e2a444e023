import type { EventDetail } from "@cardvault/contract";
import { Drawer, Skeleton, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { trpc } from "../../app/trpc.ts";
import { CodeBlock } from "../../parts/code-block.tsx";
import { DeliveryState } from "../../parts/delivery-chip.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { counted, eventWords, lastAnswerWords } from "../../parts/words.ts";
import { ResendButton } from "../deliveries/resend-button.tsx";
import { useResend } from "../deliveries/resend.ts";

const followEveryMs = 3_000;

/** One event: its envelope, and every delivery of it. */
export function EventDrawer(props: { id: string | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={props.id !== undefined}
      onClose={props.onClose}
      position="right"
      size="xl"
      title="Event"
    >
      {props.id === undefined ? null : <Detail id={props.id} />}
    </Drawer>
  );
}

function Detail({ id }: { id: string }) {
  const event = useQuery(
    trpc.events.get.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) =>
          state.data?.deliveries.some(
            ({ status }) => status === "pending" || status === "retrying",
          ) === true
            ? followEveryMs
            : false,
      },
    ),
  );
  if (event.isPending) {
    return (
      <Stack gap="md" aria-busy="true">
        <Skeleton height={44} width={220} />
        <Skeleton height={64} />
        <Skeleton height={96} />
        <Skeleton height={240} />
      </Stack>
    );
  }
  if (event.data === undefined) {
    return (
      <ProblemPanel error={event.error} what="The event" onRetry={() => void event.refetch()} />
    );
  }
  return <Shown event={event.data} />;
}

function Shown({ event: { envelope, deliveries } }: { event: EventDetail }) {
  return (
    <Stack gap="md">
      <div>
        <Title order={2} className="mono">
          {envelope.event}
        </Title>
        <span className="cell-sub">{eventWords[envelope.event]}</span>
      </div>
      <Facts>
        <Fact label="Event">
          <span className="mono wrap">{envelope.id}</span>
        </Fact>
        <Fact label="Happened">
          <RelativeTime at={envelope.created_at} />
        </Fact>
      </Facts>
      <section aria-label="Deliveries">
        <Title order={3} mb="xs">
          Deliveries
        </Title>
        {deliveries.length === 0 ? (
          <p className="cell-sub">
            No endpoint was subscribed to it.{" "}
            <Link to="/settings/webhooks">See your endpoints</Link>
          </p>
        ) : (
          <EventDeliveries event={envelope} deliveries={deliveries} />
        )}
      </section>
      <CodeBlock label="Envelope" text={JSON.stringify(envelope, null, 2)} />
    </Stack>
  );
}

/** Of each endpoint the latest generation alone is sent again: ids ascend in the order in which they were made. */
function isLatest(row: EventDetail["deliveries"][number], all: EventDetail["deliveries"]): boolean {
  return all.every((one) => one.endpoint_id !== row.endpoint_id || one.id <= row.id);
}

function EventDeliveries(props: {
  event: Pick<EventDetail["envelope"], "event">;
  deliveries: EventDetail["deliveries"];
}) {
  const { event, deliveries } = props;
  const resend = useResend();
  return (
    <table className="rows inset">
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">State</th>
          <th scope="col">Last answer</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((row) => {
          const last = row.attempts.at(-1);
          return (
            <tr key={row.id}>
              <td className="fill">
                <Link
                  from="/events"
                  resetScroll={false}
                  to="/events"
                  search={(before) => ({ ...before, delivery: row.id })}
                  className="mono clip"
                  title={row.endpoint_url}
                >
                  {row.endpoint_url}
                </Link>
                {row.generation === 1 ? null : (
                  <span className="cell-sub">Resend number {row.generation - 1}</span>
                )}
              </td>
              <td className="narrow">
                <DeliveryState row={row} />
              </td>
              <td className="narrow">
                {lastAnswerWords(last?.status_code ?? null, last?.error ?? null)}
                <span className="cell-sub">{counted(row.attempt_count, "attempt")}</span>
              </td>
              <td className="narrow">
                {isLatest(row, deliveries) ? (
                  <ResendButton
                    words="Redeliver"
                    row={{ ...row, event: event.event }}
                    isBusy={resend.isBusy}
                    onResend={() => void resend.one(row)}
                  />
                ) : null}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
