import type { OperatorJobDetail } from "@cardvault/contract";
import { Button, Drawer, Group, Skeleton, Stack, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { queryClient, trpc } from "../../app/trpc.ts";
import { Fact, Facts } from "../../parts/facts.tsx";
import { isUnderWay, jobKindWords, outcomeWords, reasonWords } from "../../parts/job-words.ts";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { JobStatusChip } from "./job-status.tsx";

const followEveryMs = 2_000;

/** One job of any account: how it stands, what became of its cards by reason; retry and cancel. */
export function JobDrawer() {
  const { job: id } = useSearch({ from: "/inside/jobs" });
  const navigate = useNavigate({ from: "/jobs" });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() =>
        void navigate({ search: (before) => ({ ...before, job: undefined }), resetScroll: false })
      }
      position="right"
      size="lg"
      title="Job"
    >
      {id === undefined ? null : <Shown id={id} />}
    </Drawer>
  );
}

function Shown({ id }: { id: string }) {
  const detail = useQuery(
    trpc.operations.job.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) =>
          state.data !== undefined && isUnderWay(state.data.job) ? followEveryMs : false,
      },
    ),
  );
  if (detail.data !== undefined) return <Detail detail={detail.data} />;
  if (detail.isPending) {
    return (
      <Stack gap="sm" aria-busy="true">
        <Skeleton height={20} width={220} />
        <Skeleton height={160} />
      </Stack>
    );
  }
  return <ProblemPanel error={detail.error} what="The job" onRetry={() => void detail.refetch()} />;
}

function Detail({ detail: { job, created_by: by, outcomes } }: { detail: OperatorJobDetail }) {
  return (
    <Stack gap="md">
      <div>
        <Group gap="sm">
          <Title order={2}>{jobKindWords(job.kind)}</Title>
          <JobStatusChip status={job.status} />
        </Group>
        <span className="cell-sub mono wrap">{job.id}</span>
      </div>
      {job.error === null ? null : (
        <div className="job-error" role="note">
          <strong>{job.error.message}</strong>
          <span className="cell-sub mono">{job.error.code}</span>
        </div>
      )}
      <Actions detail={job} />
      <Facts>
        <Fact label="Account">{job.account?.name ?? "Installation"}</Fact>
        <Fact label="Asked for by">{by ?? "The service"}</Fact>
        <Fact label="Kind">
          <span className="mono">{job.kind}</span>
        </Fact>
        {job.subject_id === null ? null : (
          <Fact label="Works on">
            <span className="mono wrap">{job.subject_id}</span>
          </Fact>
        )}
        <Fact label="Progress">
          {job.progress.done.toLocaleString()}
          {job.progress.total === null ? "" : ` of ${job.progress.total.toLocaleString()}`}
          <span className="cell-sub">{outcomeWords(job)}</span>
        </Fact>
        <Fact label="Claims without progress">{job.claims}</Fact>
        <Fact label="Runs next">
          {job.next_run_at === null ? "–" : <RelativeTime at={job.next_run_at} />}
        </Fact>
        <Fact label="Held by a worker until">
          {job.leased_until === null ? "–" : <RelativeTime at={job.leased_until} />}
        </Fact>
        <Fact label="Asked for">
          <RelativeTime at={job.created_at} />
        </Fact>
        <Fact label="Ended">
          {job.finished_at === null ? "–" : <RelativeTime at={job.finished_at} />}
        </Fact>
      </Facts>
      {outcomes.length === 0 ? null : (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">Its cards</th>
              <th scope="col">Reason</th>
              <th scope="col" className="number">
                Cards
              </th>
            </tr>
          </thead>
          <tbody>
            {outcomes.map(({ outcome, code, count }) => (
              <tr key={`${outcome} ${code}`}>
                <td>{outcome.charAt(0).toUpperCase() + outcome.slice(1)}</td>
                <td>
                  {code === null ? "–" : reasonWords(code)}
                  {code === null ? null : <span className="cell-sub mono">{code}</span>}
                </td>
                <td className="number">{count.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Stack>
  );
}

function Actions({ detail: job }: { detail: OperatorJobDetail["job"] }) {
  const options = {
    onSuccess(after: OperatorJobDetail) {
      queryClient.setQueryData(trpc.operations.job.queryKey({ id: job.id }), after);
      void queryClient.invalidateQueries({ queryKey: trpc.operations.jobs.pathKey() });
      void queryClient.invalidateQueries(trpc.operations.overview.queryFilter());
    },
    onError: (error: unknown) => tellProblem(error, { title: "It was not done" }),
  };
  const retry = useMutation(trpc.operations.retry.mutationOptions(options));
  const cancel = useMutation(trpc.operations.cancel.mutationOptions(options));
  if (job.status === "failed") {
    return (
      <Group gap="sm">
        <Button loading={retry.isPending} onClick={() => retry.mutate({ id: job.id })}>
          Try again
        </Button>
        <span className="cell-sub">It goes on where it failed. The account’s trail says so.</span>
      </Group>
    );
  }
  if (!isUnderWay(job)) return null;
  return (
    <Group gap="sm">
      <Button
        variant="default"
        disabled={job.is_cancelling}
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ id: job.id })}
      >
        {job.is_cancelling ? "Being cancelled" : "Cancel job"}
      </Button>
      <span className="cell-sub">What is committed stays. The account’s trail says so.</span>
    </Group>
  );
}
