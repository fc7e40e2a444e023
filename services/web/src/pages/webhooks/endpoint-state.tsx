import type { EndpointHealth, WebhookEndpoint } from "@cardvault/contract";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconPlayerPause,
} from "@tabler/icons-react";
import { Chip } from "../../parts/chip.tsx";
import { RelativeTime, useHasCome } from "../../parts/relative-time.tsx";

const disabledWords = {
  by_hand: "by hand",
  failing: "it only failed",
  gone: "it answered 410",
} as const;

/** Whether an endpoint is sent events, and how it fares. */
export function EndpointState(props: {
  endpoint: WebhookEndpoint;
  health: EndpointHealth | undefined;
}) {
  const { endpoint, health } = props;
  return (
    <>
      {endpoint.enabled ? <Faring health={health} /> : <Disabled endpoint={endpoint} />}
      {endpoint.secret_switches_at === null ? null : (
        <span className="cell-sub">
          New secret signs <RelativeTime at={endpoint.secret_switches_at} />
        </span>
      )}
    </>
  );
}

function Faring({ health }: { health: EndpointHealth | undefined }) {
  const isDue = useHasCome(health?.disables_at ?? null);
  if (health?.state === "failing") {
    return (
      <>
        <Chip tone="warning" icon={IconAlertTriangle}>
          Failing
        </Chip>
        {health.failing_since === null ? null : (
          <span className="cell-sub">
            since <RelativeTime at={health.failing_since} />
          </span>
        )}
        {health.disables_at === null ? null : (
          <span className="cell-sub">
            {isDue ? (
              "disabled at its next failure"
            ) : (
              <>
                disabled <RelativeTime at={health.disables_at} /> if that goes on
              </>
            )}
          </span>
        )}
      </>
    );
  }
  if (health?.state === "healthy") {
    return (
      <>
        <Chip tone="good" icon={IconCircleCheck}>
          Healthy
        </Chip>
        {health.last_delivered_at === null ? null : (
          <span className="cell-sub">
            delivered <RelativeTime at={health.last_delivered_at} />
          </span>
        )}
      </>
    );
  }
  return (
    <Chip tone="quiet" icon={IconCircleDashed}>
      Enabled
    </Chip>
  );
}

function Disabled({
  endpoint: { disabled_at: at, disabled_reason: reason },
}: {
  endpoint: WebhookEndpoint;
}) {
  return (
    <>
      {reason === "by_hand" || reason === null ? (
        <Chip tone="quiet" icon={IconPlayerPause}>
          Disabled
        </Chip>
      ) : (
        <Chip tone="bad" icon={IconAlertTriangle}>
          Disabled
        </Chip>
      )}
      {at === null || reason === null ? null : (
        <span className="cell-sub">
          {disabledWords[reason]}, <RelativeTime at={at} />
        </span>
      )}
    </>
  );
}
