import "./job-tray.css";
import type { Job } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { IconHistory, IconX } from "@tabler/icons-react";
import { Suspense, useEffect } from "react";
import { JobBar } from "../parts/job-bar.tsx";
import { isUnderWay, jobTitle, outcomeWords } from "../parts/job-words.ts";
import { offerUndo } from "../parts/undo.tsx";
import { counted } from "../parts/words.ts";
import {
  dismissJob,
  isFirstTold,
  showJobs,
  undoJob,
  useAreJobsShown,
  useFollowedJobs,
  useJob,
} from "./jobs.ts";
import { lazyPart } from "./lazy-part.tsx";
import { trpc } from "./trpc.ts";

const JobDrawer = lazyPart(() => import("./job-drawer.tsx").then((file) => file.JobDrawer));

/** Live messages say it at once; this is for when there are none. */
const refreshMs = 30_000;
const mostShown = 3;
const active = ["queued", "running", "paused"] as const;

const hideJobs = (): void => showJobs(false);

/** What works in the background, on every page: how far it is, and the way to what has been done. */
export function JobTray() {
  const isOpen = useAreJobsShown();
  const followed = useFollowedJobs();
  const underWay = useQuery(
    trpc.jobs.list.queryOptions(
      { status: [...active], limit: mostShown * 2 },
      { refetchInterval: refreshMs },
    ),
  );
  const others = (underWay.data?.data ?? []).filter((job) => !followed.includes(job.id));
  return (
    <>
      <section className="job-tray" aria-label="Background jobs">
        {followed.slice(-mostShown).map((id) => (
          <FollowedRow key={id} id={id} />
        ))}
        {others.slice(0, mostShown).map((job) => (
          <Row key={job.id} job={job} />
        ))}
        <button type="button" className="nav-link job-tray-all" onClick={() => showJobs(true)}>
          <IconHistory size={18} stroke={1.6} aria-hidden />
          Recent jobs
        </button>
      </section>
      {isOpen ? (
        <Suspense>
          <JobDrawer onClose={hideJobs} onMissing={hideJobs} />
        </Suspense>
      ) : null}
    </>
  );
}

/** One that was begun here: its end is told, with Undo. */
function FollowedRow({ id }: { id: string }) {
  const { data: job } = useJob(id);
  useEffect(() => {
    if (job !== undefined && !isUnderWay(job) && isFirstTold(id)) tellEnd(job);
  }, [id, job]);
  if (job === undefined) return null;
  return <Row job={job} onDismiss={() => dismissJob(id)} />;
}

function tellEnd(job: Job): void {
  const message = `${jobTitle(job)}: ${outcomeWords(job)}.`;
  if (job.status === "failed") {
    notifications.show({
      color: "red",
      autoClose: false,
      title: `${jobTitle(job)} has stopped`,
      message: (
        <>
          <span className="wrap">{job.error?.message ?? message}</span>
          <span className="cell-sub mono wrap">
            {job.error === null ? null : `${job.error.code} · `}
            {job.id}
          </span>
          <Button mt={8} size="compact-sm" variant="default" onClick={() => showJobs(true)}>
            See the job
          </Button>
        </>
      ),
    });
  } else if (job.can_undo) {
    offerUndo({
      message,
      hasSentEvents: true,
      async undo() {
        const undo = await undoJob(job.id);
        dismissJob(job.id);
        const { total } = undo.progress;
        return total === null ? "Undoing." : `Undoing ${counted(total, "card")}.`;
      },
    });
  } else {
    notifications.show({ message });
  }
}

function Row({ job, onDismiss }: { job: Job; onDismiss?: () => void }) {
  const { done, total, waiting } = job.progress;
  const underWay = isUnderWay(job);
  return (
    <div className="job-tray-row">
      <button type="button" className="job-tray-open" onClick={() => showJobs(true)}>
        <span className="account-name">{jobTitle(job)}</span>
        <span className="account-name cell-sub">
          {!underWay
            ? outcomeWords(job)
            : job.status === "paused"
              ? "Paused"
              : waiting !== null
                ? "Waits for providers"
                : total === null
                  ? "Selecting the cards"
                  : `${done.toLocaleString()} of ${total.toLocaleString()}`}
        </span>
        {underWay ? <JobBar job={job} /> : null}
      </button>
      {underWay || onDismiss === undefined ? null : (
        <button
          type="button"
          className="icon-button"
          aria-label={`Dismiss: ${jobTitle(job)}`}
          onClick={onDismiss}
        >
          <IconX size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
