import type { EndpointHealth, WebhookEndpoint } from "@cardvault/contract";
import { Button, Group, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { EndpointTab } from "../../app/search.ts";
import { endpointTabs } from "../../app/search.ts";
import { trpc } from "../../app/trpc.ts";
import { NotRead } from "../../parts/not-read.tsx";
import type { Reading } from "../../parts/not-read.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { useEndpointDialogs } from "../webhooks/endpoint-dialogs.tsx";
import { EndpointMenu } from "../webhooks/endpoint-menu.tsx";
import { AttemptsTab } from "./attempts-tab.tsx";
import { DeliveriesTab } from "./deliveries-tab.tsx";
import { EndpointFacts } from "./endpoint-facts.tsx";
import { MissingTab } from "./missing-tab.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";
import { RecoveryPanel } from "./recovery-panel.tsx";
import { TestDialog } from "./test-dialog.tsx";
import { TimelineTab } from "./timeline-tab.tsx";
import { VerifyTab } from "./verify-tab.tsx";

const refreshMs = 5_000;

/** One endpoint: how it fares, everything sent to it, and what to do where it did not arrive. */
export function EndpointPage() {
  const { id } = useParams({ from: "/inside/settings/webhooks/$id" });
  return <EndpointOf key={id} id={id} />;
}

function EndpointOf({ id }: { id: string }) {
  const endpoint = useQuery(
    // It may be disabled by its own failing while it is looked at.
    trpc.webhooks.endpoints.get.queryOptions({ id }, { refetchInterval: refreshMs }),
  );
  const health = useQuery(
    trpc.webhooks.endpoints.health.queryOptions(undefined, { refetchInterval: refreshMs }),
  );
  if (endpoint.data !== undefined) {
    return (
      <Shown
        endpoint={endpoint.data}
        health={health.data?.data.find((one) => one.endpoint_id === id)}
        healthRead={health}
      />
    );
  }
  return (
    <Page title="Webhook endpoint" lead={<Link to="/settings/webhooks">Webhooks</Link>}>
      {endpoint.isPending ? (
        <EndpointSkeleton />
      ) : (
        <div className="panel">
          <ProblemPanel
            error={endpoint.error}
            what="The endpoint"
            onRetry={() => void endpoint.refetch()}
          />
        </div>
      )}
    </Page>
  );
}

function Shown(props: {
  endpoint: WebhookEndpoint;
  health: EndpointHealth | undefined;
  healthRead: Reading;
}) {
  const { endpoint, health } = props;
  const navigate = useNavigate();
  const { tab = "deliveries" } = useSearch({ from: "/inside/settings/webhooks/$id" });
  const [isTesting, setIsTesting] = useState(false);
  const [recoverFrom, setRecoverFrom] = useState<RecoverStart | null>(null);
  const { open, dialogs } = useEndpointDialogs(() => void navigate({ to: "/settings/webhooks" }));
  return (
    <Page
      title={endpoint.url}
      lead={
        <>
          <Link to="/settings/webhooks">Webhooks</Link>
          {endpoint.description === null ? null : ` · ${endpoint.description}`}
        </>
      }
      action={
        <Group gap="xs">
          <Button onClick={() => setIsTesting(true)}>Send test event</Button>
          {endpoint.enabled ? (
            <Button variant="default" onClick={() => setRecoverFrom({ include: "failed" })}>
              Recover…
            </Button>
          ) : (
            <Button variant="default" onClick={() => open({ kind: "switch", endpoint })}>
              Enable…
            </Button>
          )}
          <EndpointMenu endpoint={endpoint} onAction={(kind, of) => open({ kind, endpoint: of })} />
        </Group>
      }
    >
      <EndpointFacts
        endpoint={endpoint}
        health={health}
        onRotate={() => open({ kind: "rotate", endpoint })}
      />
      <NotRead reading={props.healthRead} what="How the endpoint fares" />
      <RecoveryPanel endpointId={endpoint.id} runningId={health?.recovery_job_id ?? null} />
      <Tabs id={endpoint.id} current={tab} />
      <div className="panel">
        {tab === "deliveries" ? (
          <DeliveriesTab endpoint={endpoint} onTest={() => setIsTesting(true)} />
        ) : tab === "attempts" ? (
          <AttemptsTab endpointId={endpoint.id} />
        ) : tab === "missing" ? (
          <MissingTab
            endpoint={endpoint}
            onRecover={(since) => setRecoverFrom({ include: "missing", since })}
          />
        ) : tab === "verify" ? (
          <VerifyTab />
        ) : (
          <TimelineTab id={endpoint.id} />
        )}
      </div>
      <TestDialog endpoint={endpoint} opened={isTesting} onClose={() => setIsTesting(false)} />
      <RecoverDialog
        endpoint={endpoint}
        failingSince={health?.failing_since ?? null}
        start={recoverFrom}
        onClose={() => setRecoverFrom(null)}
      />
      {dialogs}
    </Page>
  );
}

/** What the recovery's dialog begins with. */
export interface RecoverStart {
  include: "failed" | "missing";
  since?: string | undefined;
}

const tabWords: Record<EndpointTab, string> = {
  deliveries: "Deliveries",
  attempts: "Attempts",
  missing: "What is missing",
  verify: "Verify signatures",
  timeline: "Timeline",
};

function Tabs({ id, current }: { id: string; current: EndpointTab }) {
  return (
    <nav className="tabs" aria-label="Of this endpoint">
      {endpointTabs.map((tab) => (
        <Link
          key={tab}
          className="tab"
          to="/settings/webhooks/$id"
          params={{ id }}
          search={tab === "deliveries" ? {} : { tab }}
          activeOptions={{ exact: true }}
          data-current={tab === current || undefined}
        >
          {tabWords[tab]}
        </Link>
      ))}
    </nav>
  );
}

function EndpointSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton height={132} mb="md" />
      <Skeleton height={28} width={420} mb="md" />
      <div className="panel">
        <TableSkeleton rows={8} columns={[16, 240, 140, 90, 70, 60]} />
      </div>
    </div>
  );
}
