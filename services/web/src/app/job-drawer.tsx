import { Drawer, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { JobProgress } from "../parts/job-progress.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { trpc } from "./trpc.ts";

const shown = 20;
const refreshMs = 5_000;

/** The account's latest jobs, each with what can be done about it. */
export function JobDrawer({ onClose }: { onClose: () => void }) {
  const jobs = useQuery(
    trpc.jobs.list.queryOptions({ limit: shown }, { refetchInterval: refreshMs }),
  );
  return (
    <Drawer opened onClose={onClose} position="right" size="md" title="Jobs">
      {jobs.isPending ? (
        <Stack gap="md" aria-busy="true">
          <Skeleton height={72} />
          <Skeleton height={72} />
          <Skeleton height={72} />
        </Stack>
      ) : jobs.data === undefined ? (
        <ProblemPanel error={jobs.error} what="The jobs" onRetry={() => void jobs.refetch()} />
      ) : (
        <Stack gap="xs">
          {jobs.data.data.map((job) => (
            <div key={job.id} className="panel">
              <JobProgress job={job} />
            </div>
          ))}
        </Stack>
      )}
    </Drawer>
  );
}
