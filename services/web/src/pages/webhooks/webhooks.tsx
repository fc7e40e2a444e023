import { maxEndpointsPerAccount } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useAsked } from "../../app/asked.ts";
import { trpc } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { NotRead } from "../../parts/not-read.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { useEndpointDialogs } from "./endpoint-dialogs.tsx";
import { EndpointTable } from "./endpoint-table.tsx";

const refreshMs = 15_000;

/** Where events are sent, and how each endpoint fares; its secret is shown when it is made or rotated. */
export function WebhooksPage() {
  const endpoints = useQuery(
    trpc.webhooks.endpoints.list.queryOptions(undefined, { refetchInterval: refreshMs }),
  );
  const health = useQuery(
    trpc.webhooks.endpoints.health.queryOptions(undefined, { refetchInterval: refreshMs }),
  );
  const { open, dialogs } = useEndpointDialogs();
  useAsked("new_endpoint", () => open({ kind: "create" }));
  const rows = endpoints.data?.data ?? [];
  const add = (
    <Button
      disabled={rows.length >= maxEndpointsPerAccount}
      onClick={() => open({ kind: "create" })}
    >
      Add endpoint
    </Button>
  );

  return (
    <Page
      title="Webhooks"
      lead={
        <>
          Events are sent to these endpoints as signed POST requests. One that is not answered with
          a 2xx within 10 s is sent again, six times at most. How to{" "}
          <a href="/docs/guides/webhooks">receive and verify them</a>, and{" "}
          <a href="/docs/guides/events">what each one says</a>.
        </>
      }
      action={rows.length > 0 ? add : undefined}
    >
      <div className="panel">
        {endpoints.isPending ? (
          <TableSkeleton rows={3} columns={[260, 80, 90, 100, 24]} />
        ) : endpoints.isError ? (
          <ProblemPanel
            error={endpoints.error}
            what="The endpoints"
            onRetry={() => void endpoints.refetch()}
          />
        ) : rows.length === 0 ? (
          <EmptyState title="No endpoints yet" action={add}>
            Add the HTTPS address of your receiver. It is told of every card that is identified or
            priced, every listing that goes live or closes, and every batch that is complete.
          </EmptyState>
        ) : (
          <>
            <NotRead reading={health} what="How the endpoints fare" />
            <EndpointTable
              endpoints={rows}
              health={health.data?.data ?? []}
              onAction={(kind, endpoint) => open({ kind, endpoint })}
            />
          </>
        )}
      </div>
      {dialogs}
    </Page>
  );
}
