import type { Job } from "@cardvault/contract";
import { Button, Progress } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconLoader,
  IconPlayerStop,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { useEffect } from "react";
import { refreshDeliveries } from "../../app/refresh.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import type { Tone } from "../../parts/chip.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { counted } from "../../parts/words.ts";

const followEveryMs = 1_000;
const isUnderWay = ({ status }: Pick<Job, "status">): boolean =>
  status === "queued" || status === "running" || status === "paused";

/** The endpoint's latest recovery: its progress while it is under way, then what came of it. */
export function RecoveryPanel(props: { endpointId: string; runningId: string | null }) {
  const latest = useQuery(trpc.jobs.list.queryOptions({ subject_id: props.endpointId, limit: 1 }));
  const id = props.runningId ?? latest.data?.data[0]?.id;
  return id === undefined ? null : <Recovery id={id} />;
}

function Recovery({ id }: { id: string }) {
  const job = useQuery(
    trpc.jobs.get.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) =>
          state.data !== undefined && isUnderWay(state.data) ? followEveryMs : false,
      },
    ),
  );
  const cancel = useMutation(
    trpc.jobs.cancel.mutationOptions({
      onSuccess: (after) => queryClient.setQueryData(trpc.jobs.get.queryKey({ id }), after),
    }),
  );
  const status = job.data?.status;
  useEffect(() => {
    if (status !== undefined && !isUnderWay({ status })) void refreshDeliveries();
  }, [status]);
  if (job.data === undefined) return null;
  const { progress, error, finished_at: finishedAt } = job.data;
  const underWay = isUnderWay(job.data);
  return (
    <section className="panel recovery" aria-label="Recovery">
      <RecoveryChip status={job.data.status} />
      {underWay ? (
        <Progress.Root size={6} flex={1} miw={120}>
          <Progress.Section
            aria-label="Recovery"
            value={
              progress.total === null || progress.total === 0
                ? 0
                : Math.min(100, (progress.done / progress.total) * 100)
            }
          />
        </Progress.Root>
      ) : null}
      <output>
        {progress.total === null || !underWay
          ? `${counted(progress.changed, "event")} sent again`
          : `${progress.done.toLocaleString()} of ${progress.total.toLocaleString()}, ${progress.changed.toLocaleString()} sent again`}
        {progress.skipped > 0 ? `, ${progress.skipped.toLocaleString()} in flight left alone` : ""}
      </output>
      {finishedAt === null ? null : (
        <span className="cell-sub">
          <RelativeTime at={finishedAt} />
        </span>
      )}
      {error === null ? null : <span className="cell-sub">{error.message}</span>}
      {underWay ? (
        <Button
          size="compact-xs"
          variant="default"
          ml="auto"
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ id })}
        >
          Cancel recovery
        </Button>
      ) : null}
      <ProblemNote error={cancel.error} />
    </section>
  );
}

const chips: Record<Job["status"], { tone: Tone; icon: Icon; words: string }> = {
  queued: { tone: "busy", icon: IconLoader, words: "Recovery begins" },
  running: { tone: "busy", icon: IconLoader, words: "Recovery under way" },
  paused: { tone: "warning", icon: IconPlayerStop, words: "Recovery paused" },
  done: { tone: "good", icon: IconCircleCheck, words: "Recovery done" },
  failed: { tone: "bad", icon: IconAlertTriangle, words: "Recovery failed" },
  cancelled: { tone: "quiet", icon: IconPlayerStop, words: "Recovery cancelled" },
};

function RecoveryChip({ status }: Pick<Job, "status">) {
  const { words, ...look } = chips[status];
  return <Chip {...look}>{words}</Chip>;
}
