import "./dashboard.css";
import type { Dashboard } from "@cardvault/contract";
import { workflowStatuses } from "@cardvault/contract";
import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { BatchesInProgress } from "./batches-in-progress.tsx";
import { FirstRun } from "./first-run.tsx";
import { Stages, Waiting, Worth } from "./figures.tsx";
import { RecentSales } from "./recent-sales.tsx";
import { SalesChart } from "./sales-chart.tsx";

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Live messages say it at once; this is for sales that other systems bring, and for when there are none. */
const refreshMs = 60_000;

/** For acting: each figure is a link to what it counts. */
export function DashboardPage() {
  const dashboard = useQuery(
    trpc.accounts.dashboard.queryOptions({ time_zone: timeZone }, { refetchInterval: refreshMs }),
  );
  return (
    <Page title="Dashboard">
      {dashboard.data !== undefined ? (
        <Figures dashboard={dashboard.data} />
      ) : dashboard.isPending ? (
        <DashboardSkeleton />
      ) : (
        <div className="panel">
          <ProblemPanel
            error={dashboard.error}
            what="The figures"
            onRetry={() => void dashboard.refetch()}
          />
        </div>
      )}
    </Page>
  );
}

function Figures({ dashboard }: { dashboard: Dashboard }) {
  const total = workflowStatuses.reduce((sum, status) => sum + dashboard.counts[status], 0);
  if (total === 0 && dashboard.open_batches === 0) {
    return (
      <Stack gap="lg">
        <FirstRun />
        {dashboard.dropped_events > 0 ? <Waiting dashboard={dashboard} /> : null}
      </Stack>
    );
  }
  return (
    <Stack gap="lg">
      <Waiting dashboard={dashboard} />
      <Stages counts={dashboard.counts} total={total} />
      <div className="dashboard-columns">
        <div className="panel">
          <SalesChart days={dashboard.sales_by_day} />
        </div>
        <RecentSales sales={dashboard.recent_sales} />
      </div>
      <Worth dashboard={dashboard} />
      <BatchesInProgress batches={dashboard.batches} open={dashboard.open_batches} />
    </Stack>
  );
}

function DashboardSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <div>
        <Skeleton height={14} width={120} mb={14} />
        <div className="figures">
          {[1, 2, 3, 4].map((figure) => (
            <Skeleton key={figure} height={98} />
          ))}
        </div>
      </div>
      <div>
        <Skeleton height={14} width={120} mb={14} />
        <Skeleton height={94} />
      </div>
      <div className="dashboard-columns">
        <Skeleton height={344} />
        <Skeleton height={344} />
      </div>
    </Stack>
  );
}
