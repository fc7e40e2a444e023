import type { Job } from "@cardvault/contract";
import { Drawer, Skeleton, Stack } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { JobProgress } from "../parts/job-progress.tsx";
import { LoadMore } from "../parts/load-more.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { useJob } from "./jobs.ts";
import { trpc, trpcClient } from "./trpc.ts";

const pageSize = 20;
const refreshMs = 5_000;

function useRecentJobs() {
  return useInfiniteQuery({
    queryKey: [...trpc.jobs.list.pathKey(), "drawer"],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.jobs.list.query(
        { limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
    // A list that was scrolled through is left in peace; what is at work in it follows itself.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refreshMs),
  });
}

/** The account's jobs, the latest first, whoever asked for them: what came of each, and what can be done about it. */
export function JobDrawer({ onClose }: { onClose: () => void }) {
  const jobs = useRecentJobs();
  const router = useRouter();
  // A link in it leads to a page that is to be seen.
  useEffect(() => router.subscribe("onBeforeNavigate", onClose), [router, onClose]);
  const pages = jobs.data?.pages ?? [];
  const rows = pages.flatMap(({ data }) => data);
  const names = new Map(pages.flatMap(({ people }) => people.map(({ id, name }) => [id, name])));
  return (
    <Drawer opened onClose={onClose} position="right" size="md" title="Recent jobs">
      {jobs.isPending ? (
        <Stack gap="md" aria-busy="true">
          <Skeleton height={96} />
          <Skeleton height={96} />
          <Skeleton height={96} />
        </Stack>
      ) : jobs.data === undefined ? (
        <ProblemPanel error={jobs.error} what="The jobs" onRetry={() => void jobs.refetch()} />
      ) : rows.length === 0 ? (
        <p className="cell-sub">
          No job yet. What is done to many cards at once, imports and recoveries stand here, with
          what came of each card and their undo.
        </p>
      ) : (
        <Stack gap="xs">
          {rows.map((job) => (
            <Entry key={job.id} listed={job} by={names.get(job.created_by ?? "")} />
          ))}
          <LoadMore query={jobs} shown={rows.length} total={pages[0]?.total} />
        </Stack>
      )}
    </Drawer>
  );
}

/** The list may be older than what is followed, or newer: one that has ended and is tried again is not followed. */
function Entry({ listed, by }: { listed: Job; by: string | undefined }) {
  const { data: followed = listed } = useJob(listed.id, listed);
  const job = followed.updated_at < listed.updated_at ? listed : followed;
  return (
    <div className="panel">
      <JobProgress job={job}>
        <Subject job={job} />
      </JobProgress>
      <p className="job-asked cell-sub">
        {by === undefined ? "Began by itself " : `${by} asked for it `}
        <RelativeTime at={job.created_at} />
      </p>
    </div>
  );
}

/** The way to what the job works on, where that has a page of its own. */
function Subject({ job: { kind, subject_id: id } }: { job: Job }) {
  if (id === null) return null;
  if (id.startsWith("batch_")) {
    return (
      <Link to="/inventory/batches/$id" params={{ id }}>
        See the batch
      </Link>
    );
  }
  if (id.startsWith("whe_")) {
    return (
      <Link to="/settings/webhooks/$id" params={{ id }}>
        See the endpoint
      </Link>
    );
  }
  if (id.startsWith("imp_") && kind.startsWith("import.")) {
    return (
      <Link to="/import/csv" search={{ import: id }}>
        See the list
      </Link>
    );
  }
  return null;
}
