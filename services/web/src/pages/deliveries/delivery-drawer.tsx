import type { DeliveryDetail } from "@cardvault/contract";
import { Button, Drawer, Skeleton, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { trpc } from "../../app/trpc.ts";
import { CodeBlock } from "../../parts/code-block.tsx";
import { DeliveryChip } from "../../parts/delivery-chip.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { dropReasonWords } from "../../parts/words.ts";
import { Attempts } from "./attempts.tsx";
import { useResend } from "./resend.ts";

const followEveryMs = 2_000;

/** One delivery beside the list it was opened from: how it stands, its attempts, what was sent. */
export function DeliveryDrawer(props: { id: string | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={props.id !== undefined}
      onClose={props.onClose}
      position="right"
      size="xl"
      title="Delivery"
    >
      {props.id === undefined ? null : <Detail id={props.id} />}
    </Drawer>
  );
}

function Detail({ id }: { id: string }) {
  const delivery = useQuery(
    trpc.webhooks.deliveries.get.queryOptions(
      { id },
      {
        // What is still to be delivered changes by itself.
        refetchInterval: ({ state }) =>
          state.data?.status === "pending" || state.data?.status === "retrying"
            ? followEveryMs
            : false,
      },
    ),
  );
  if (delivery.isPending) return <DetailSkeleton />;
  if (delivery.data === undefined) {
    return (
      <ProblemPanel
        error={delivery.error}
        what="The delivery"
        onRetry={() => void delivery.refetch()}
      />
    );
  }
  return <Shown delivery={delivery.data} />;
}

function Shown({ delivery }: { delivery: DeliveryDetail }) {
  const resend = useResend();
  const canResend = delivery.can_redeliver && !resend.isBusy;
  return (
    <Stack gap="md">
      <div className="drawer-head">
        <div style={{ minWidth: 0 }}>
          <Title order={2} className="mono">
            {delivery.event}
          </Title>
          <DeliveryChip status={delivery.status} />
        </div>
        <Button
          size="xs"
          ml="auto"
          disabled={!canResend}
          {...(delivery.can_redeliver ? {} : { title: "The endpoint is disabled or removed" })}
          onClick={() => void resend.one(delivery)}
        >
          Resend
        </Button>
      </div>
      <DeliveryFacts delivery={delivery} />
      <section aria-label="Attempts">
        <Title order={3} mb="xs">
          Attempts
        </Title>
        <Attempts delivery={delivery} />
      </section>
      <CodeBlock
        label="Request body as sent"
        note="The signature is over these bytes"
        text={delivery.request_body}
      />
    </Stack>
  );
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const isWaiting = delivery.status === "pending" || delivery.status === "retrying";
  return (
    <Facts>
      <Fact label="Endpoint">
        <Link
          to="/settings/webhooks/$id"
          params={{ id: delivery.endpoint_id }}
          className="mono wrap"
        >
          {delivery.endpoint_url}
        </Link>
      </Fact>
      <Fact label="Event">
        <Link to="/events" search={{ event: delivery.event_id }} className="mono wrap">
          {delivery.event_id}
        </Link>
      </Fact>
      <Fact label="Delivery">
        <span className="mono wrap">{delivery.id}</span>
        {delivery.generation === 1 ? null : (
          <span className="cell-sub">Resend number {delivery.generation - 1}</span>
        )}
      </Fact>
      <Fact label="Happened">
        <RelativeTime at={delivery.event_created_at} />
      </Fact>
      {delivery.drop_reason === null ? null : (
        <Fact label="Why dropped">{dropReasonWords[delivery.drop_reason]}</Fact>
      )}
      {!isWaiting || delivery.next_attempt_at === null ? null : (
        <Fact label="Next attempt">
          <RelativeTime at={delivery.next_attempt_at} />
        </Fact>
      )}
      {!isWaiting || delivery.drops_at === null ? null : (
        <Fact label="Dropped if all fail">
          <RelativeTime at={delivery.drops_at} />
        </Fact>
      )}
      {delivery.ended_at === null ? null : (
        <Fact label="Ended">
          <RelativeTime at={delivery.ended_at} />
        </Fact>
      )}
      {delivery.dismissed_at === null ? null : (
        <Fact label="Dismissed">
          <RelativeTime at={delivery.dismissed_at} />
          {delivery.dismissed_note === null ? null : (
            <span className="cell-sub">{delivery.dismissed_note}</span>
          )}
        </Fact>
      )}
    </Facts>
  );
}

function DetailSkeleton() {
  return (
    <Stack gap="md" aria-busy="true">
      <Skeleton height={44} width={220} />
      <Skeleton height={112} />
      <Skeleton height={72} />
      <Skeleton height={160} />
    </Stack>
  );
}
