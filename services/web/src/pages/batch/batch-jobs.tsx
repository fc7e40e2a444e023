import type { Job } from "@cardvault/contract";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { FollowedJob } from "../../parts/job-progress.tsx";
import { isUnderWay } from "../../parts/job-words.ts";

const looked = 10;
/** What ended so long ago is found in the history of its cards. */
const recentMs = 60 * 60_000;
const mostShown = 3;

/** Those at work; without one, the last that has ended. */
function shownOf(jobs: readonly Job[]): readonly Job[] {
  const atWork = jobs.filter(isUnderWay);
  if (atWork.length > 0) return atWork;
  return jobs
    .filter(({ updated_at }) => Date.now() - Date.parse(updated_at) < recentMs)
    .slice(0, 1);
}

/** The jobs that work on a batch, and what became of the last ones. */
export function BatchJobs({ batchId }: { batchId: string }) {
  const jobs = useQuery(trpc.jobs.list.queryOptions({ subject_id: batchId, limit: looked }));
  const shown = shownOf(jobs.data?.data ?? []);
  if (shown.length === 0) return null;
  return (
    <section className="panel batch-jobs" aria-label="Jobs of this batch">
      {shown.slice(0, mostShown).map(({ id }) => (
        <FollowedJob key={id} id={id} />
      ))}
    </section>
  );
}
