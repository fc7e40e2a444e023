import "./job-tray.css";
import type { Job } from "@cardvault/contract";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { IconX } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { JobBar } from "../parts/job-bar.tsx";
import { isUndoable, isUnderWay, jobTitle, outcomeWords } from "../parts/job-words.ts";
import { offerUndo } from "../parts/undo.tsx";
import { counted } from "../parts/words.ts";
import { dismissJob, isFirstTold, undoJob, useFollowedJobs, useJob } from "./jobs.ts";
import { trpc } from "./trpc.ts";

const JobDrawer = lazy(() =>
  import("./job-drawer.tsx").then((file) => ({ default: file.JobDrawer })),
);

/** Live messages say it at once; this is for when there are none. */
const refreshMs = 30_000;
const mostShown = 3;
const active = ["queued", "running", "paused"] as const;

/** What works in the background, on every page: how far it is, and what came of what one has begun. */
export function JobTray() {
  const [isOpen, setIsOpen] = useState(false);
  const followed = useFollowedJobs();
  const underWay = useQuery(
    trpc.jobs.list.queryOptions(
      { status: [...active], limit: mostShown * 2 },
      { refetchInterval: refreshMs },
    ),
  );
  const others = (underWay.data?.data ?? []).filter((job) => !followed.includes(job.id));
  const shown = others.slice(0, mostShown);
  return (
    <>
      {followed.length === 0 && shown.length === 0 ? null : (
        <section className="job-tray" aria-label="Jobs">
          {followed.slice(-mostShown).map((id) => (
            <FollowedRow key={id} id={id} onOpen={() => setIsOpen(true)} />
          ))}
          {shown.map((job) => (
            <Row key={job.id} job={job} onOpen={() => setIsOpen(true)} />
          ))}
        </section>
      )}
      {isOpen ? (
        <Suspense>
          <JobDrawer onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** One that was begun here: its end is told, with Undo. */
function FollowedRow({ id, onOpen }: { id: string; onOpen: () => void }) {
  const { data: job } = useJob(id);
  useEffect(() => {
    if (job !== undefined && !isUnderWay(job) && isFirstTold(id)) tellEnd(job);
  }, [id, job]);
  if (job === undefined) return null;
  return <Row job={job} onOpen={onOpen} onDismiss={() => dismissJob(id)} />;
}

function tellEnd(job: Job): void {
  const message = `${jobTitle(job)}: ${outcomeWords(job)}.`;
  if (job.status === "failed") {
    notifications.show({
      color: "red",
      title: `${jobTitle(job)} has stopped`,
      message: job.error?.message ?? message,
    });
  } else if (isUndoable(job)) {
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

function Row(props: { job: Job; onOpen: () => void; onDismiss?: () => void }) {
  const { job, onOpen, onDismiss } = props;
  const { done, total, waiting } = job.progress;
  const underWay = isUnderWay(job);
  return (
    <div className="job-tray-row">
      <button type="button" className="job-tray-open" onClick={onOpen}>
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
