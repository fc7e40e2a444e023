import type { EndpointHealth, WebhookEndpoint } from "@cardvault/contract";
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { refreshEndpoints } from "../../app/refresh.ts";
import { trpc } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { EndpointState } from "../webhooks/endpoint-state.tsx";
import { countWords, subscriptionWords } from "../webhooks/endpoint-table.tsx";

/** How the endpoint fares, as figures that link to what they count. */
export function EndpointFacts(props: {
  endpoint: WebhookEndpoint;
  health: EndpointHealth | undefined;
  onRotate: () => void;
}) {
  const { endpoint, health } = props;
  const { id, events } = endpoint;
  return (
    <div className="panel fact-panel">
      <Facts>
        <Fact label="State">
          <EndpointState endpoint={{ ...endpoint, secret_switches_at: null }} health={health} />
        </Fact>
        <Fact label="Last delivered">
          <Moment at={health?.last_delivered_at} none="Not seen yet" />
        </Fact>
        <Fact label="Last failed">
          <Moment at={health?.last_failed_at} none="Not seen yet" />
        </Fact>
        <Fact label="On their way">
          <Link
            to="/settings/webhooks/$id"
            params={{ id }}
            search={{ status: ["pending", "retrying"] }}
          >
            {countWords(health?.undelivered)}
          </Link>
        </Fact>
        <Fact label="Dropped">
          <Link to="/events/dropped" search={{ endpoint: id }}>
            {countWords(health?.dropped)}
          </Link>
        </Fact>
        <Fact label="Events">
          <span className={events.length === 1 ? "mono" : undefined} title={events.join("\n")}>
            {subscriptionWords(events)}
          </span>
        </Fact>
        <Fact label="Signing secret">
          <SecretFact endpoint={endpoint} onRotate={props.onRotate} />
        </Fact>
        <Fact label="Added">
          <RelativeTime at={endpoint.created_at} />
        </Fact>
      </Facts>
    </div>
  );
}

function Moment({ at, none }: { at: string | null | undefined; none: string }) {
  if (at === undefined) return "…";
  return at === null ? none : <RelativeTime at={at} />;
}

function SecretFact({ endpoint, onRotate }: { endpoint: WebhookEndpoint; onRotate: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const switchNow = useMutation(
    trpc.webhooks.endpoints.switchNow.mutationOptions({
      onSuccess() {
        setIsAsking(false);
        notifications.show({ message: "The new secret signs from now on." });
        void refreshEndpoints();
      },
    }),
  );
  if (endpoint.secret_switches_at === null) {
    return (
      <Button size="compact-xs" variant="default" onClick={onRotate}>
        Rotate…
      </Button>
    );
  }
  return (
    <Group gap={8}>
      <span>
        New one signs <RelativeTime at={endpoint.secret_switches_at} />
      </span>
      <Button size="compact-xs" variant="default" onClick={() => setIsAsking(true)}>
        Switch now…
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Switch to the new secret now"
        confirm="Switch now"
        isPending={switchNow.isPending}
        error={switchNow.error}
        onConfirm={() => switchNow.mutate({ id: endpoint.id })}
        onClose={() => setIsAsking(false)}
      >
        The new secret signs every request from now on, and the old one none. A receiver that knows
        only the old one refuses them.
      </ConfirmDialog>
    </Group>
  );
}
