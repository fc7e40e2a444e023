import type { Overview } from "@cardvault/contract";
import { LinkButton } from "../parts/link-button.tsx";
import { workflowStatuses } from "@cardvault/contract";
import { Group, Skeleton, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconAlertTriangle, IconCheck, IconEye } from "@tabler/icons-react";
import { trpc } from "../app/trpc.ts";
import { WorkflowChip } from "../parts/chip.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { formatMoney } from "../parts/money.ts";
import { Page } from "../parts/page.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { counted } from "../parts/words.ts";

/** For acting: each figure is a link to what it counts. */
export function DashboardPage() {
  const overview = useQuery(trpc.accounts.overview.queryOptions());
  return (
    <Page title="Dashboard">
      {overview.isPending ? (
        <DashboardSkeleton />
      ) : overview.isError ? (
        <div className="panel">
          <ProblemPanel
            error={overview.error}
            what="The figures"
            onRetry={() => void overview.refetch()}
          />
        </div>
      ) : (
        <Figures overview={overview.data} />
      )}
    </Page>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const total = workflowStatuses.reduce((sum, status) => sum + overview.counts[status], 0);
  return (
    <Stack gap="lg">
      <section aria-labelledby="act">
        <Title order={2} id="act" mb="xs">
          Waiting for you
        </Title>
        <div className="figures">
          <DroppedFigure count={overview.dropped_events} />
          <ReviewFigure count={overview.needs_review} />
        </div>
      </section>
      <section aria-labelledby="stock">
        <Group justify="space-between" align="baseline" mb="xs">
          <Title order={2} id="stock">
            Cards by stage
          </Title>
          <Link to="/inventory">{counted(total, "card")}</Link>
        </Group>
        <div className="panel">
          {total === 0 ? <FirstRun /> : <Stages counts={overview.counts} total={total} />}
        </div>
      </section>
      <section aria-labelledby="value">
        <Title order={2} id="value" mb="xs">
          What the unsold stock is worth
        </Title>
        <Worth overview={overview} />
      </section>
    </Stack>
  );
}

function DroppedFigure({ count }: { count: number }) {
  return (
    <Link
      to="/events/dropped"
      className="panel figure-link"
      data-tone={count > 0 ? "bad" : undefined}
    >
      <span className="figure-label">
        {count > 0 ? (
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        ) : (
          <IconCheck size={16} stroke={1.75} aria-hidden />
        )}
        Dropped events
      </span>
      <span className="figure-value">{count.toLocaleString()}</span>
      <span className="figure-note">
        {count > 0 ? "Your receiver never got these" : "Every event was delivered or is on its way"}
      </span>
    </Link>
  );
}

function ReviewFigure({ count }: { count: number }) {
  return (
    <Link to="/inventory" search={{ review: true }} className="panel figure-link">
      <span className="figure-label">
        <IconEye size={16} stroke={1.75} aria-hidden />
        Needs review
      </span>
      <span className="figure-value">{count.toLocaleString()}</span>
      <span className="figure-note">
        {count > 0 ? "Cards whose identification is in doubt" : "No card is in doubt"}
      </span>
    </Link>
  );
}

function Stages({ counts, total }: { counts: Overview["counts"]; total: number }) {
  return (
    <div className="stages">
      {workflowStatuses.map((status) => (
        <Link key={status} to="/inventory" search={{ stage: status }} className="stage">
          <WorkflowChip status={status} />
          <span className="figure-value">{counts[status].toLocaleString()}</span>
          <span className="stage-share" aria-hidden>
            <span style={{ width: `${(counts[status] / total) * 100}%` }} />
          </span>
        </Link>
      ))}
    </div>
  );
}

function Worth({ overview }: { overview: Overview }) {
  return (
    <div className="figures">
      <Link to="/inventory" search={{ stage: "priced" }} className="panel figure-link">
        <span className="figure-label">Asking value</span>
        <span className="figure-value">{formatMoney(overview.asking_value)}</span>
        <span className="figure-note">Asking price times copies</span>
      </Link>
      <Link to="/inventory" className="panel figure-link">
        <span className="figure-label">Cost</span>
        <span className="figure-value">{formatMoney(overview.cost)}</span>
        <span className="figure-note">What those copies were bought for</span>
      </Link>
    </div>
  );
}

function FirstRun() {
  return (
    <EmptyState
      title="No cards yet"
      action={
        <Group gap="xs">
          <LinkButton to="/settings/api">Make an API key</LinkButton>
          <LinkButton to="/settings/webhooks" variant="default">
            Add a webhook endpoint
          </LinkButton>
        </Group>
      }
    >
      Cards stand here by the stage they are in: imported, identified, priced, photographed, listed,
      sold. Connect your programs while you wait for the first ones.
    </EmptyState>
  );
}

function DashboardSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <div>
        <Skeleton height={14} width={120} mb={14} />
        <div className="figures">
          <Skeleton height={98} />
          <Skeleton height={98} />
        </div>
      </div>
      <div>
        <Skeleton height={14} width={120} mb={14} />
        <Skeleton height={94} />
      </div>
      <div>
        <Skeleton height={14} width={220} mb={14} />
        <div className="figures">
          <Skeleton height={98} />
          <Skeleton height={98} />
        </div>
      </div>
    </Stack>
  );
}
