import "./job-progress.css";
import type { Job } from "@cardvault/contract";
import { Button, Skeleton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconLoader,
  IconPlayerPause,
  IconPlayerStop,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { followJob, keepJob, undoJob, useJob } from "../app/jobs.ts";
import { trpc } from "../app/trpc.ts";
import { Chip } from "./chip.tsx";
import type { Tone } from "./chip.tsx";
import { JobBar } from "./job-bar.tsx";
import { JobItems } from "./job-items.tsx";
import { hasItems, isUnderWay, jobTitle, outcomeWords } from "./job-words.ts";
import { ProblemNote, ProblemPanel } from "./problem-panel.tsx";
import { RelativeTime } from "./relative-time.tsx";

/** A job by its id, asked for and followed. */
export function FollowedJob({ id }: { id: string }) {
  const job = useJob(id);
  if (job.data !== undefined) return <JobProgress job={job.data} />;
  if (job.isError) {
    return <ProblemPanel error={job.error} what="The job" onRetry={() => void job.refetch()} />;
  }
  return (
    <div className="job" aria-busy="true">
      <Skeleton height={16} width={180} />
      <Skeleton height={4} />
      <Skeleton height={12} width={240} />
    </div>
  );
}

/**
 * How far a job is, and what can be done about it: pause, cancel, retry, undo, and which cards it left
 * alone and why. The page may be left; the job goes on.
 */
export function JobProgress({ job, children }: { job: Job; children?: ReactNode }) {
  const underWay = isUnderWay(job);
  const { progress } = job;
  const [areItemsShown, setAreItemsShown] = useState(false);
  const remarked = progress.skipped + progress.failed;
  return (
    <section className="job" aria-label={jobTitle(job)}>
      <div className="job-head">
        <strong>{jobTitle(job)}</strong>
        <JobChip job={job} />
      </div>
      {underWay ? <JobBar job={job} /> : null}
      <output className="cell-sub">
        {underWay ? `${doneWords(job)} ` : null}
        {progress.done === 0 && underWay ? null : outcomeWords(job)}
        {progress.in_review === 0 ? null : <ToReview job={job} />}
        {job.finished_at === null ? null : (
          <>
            {" · "}
            <RelativeTime at={job.finished_at} />
          </>
        )}
      </output>
      {progress.waiting === null || !underWay ? null : (
        <span className="cell-sub">
          {progress.waiting.code === "budget_spent"
            ? "Waits: this month's budget for providers is spent. Looks again "
            : "Waits: the providers are away. Looks again "}
          <RelativeTime at={progress.waiting.until} />
        </span>
      )}
      {job.error === null ? null : <span className="cell-sub wrap">{job.error.message}</span>}
      <JobActions job={job}>
        {remarked === 0 || !hasItems(job) ? null : (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={areItemsShown}
            onClick={() => setAreItemsShown((before) => !before)}
          >
            {areItemsShown
              ? "Hide reasons"
              : `Why ${remarked.toLocaleString()} ${remarked === 1 ? "was" : "were"} left`}
          </Button>
        )}
        {children}
      </JobActions>
      {areItemsShown ? <JobItems job={job} /> : null}
    </section>
  );
}

/** What a person has to decide about, and the way there. */
function ToReview({ job: { progress, subject_id: subject } }: { job: Job }) {
  const batch = subject?.startsWith("batch_") === true ? { batch: subject } : {};
  const { in_review: waiting } = progress;
  return (
    <>
      {" · "}
      <Link to="/review" search={batch}>
        {waiting.toLocaleString()} {waiting === 1 ? "waits" : "wait"} for review
      </Link>
    </>
  );
}

/** `4,210 of 12,431.`, or that the cards are still being looked for. */
function doneWords({ progress, status }: Job): string {
  if (status === "queued") return "Begins in a moment.";
  if (progress.total === null) return "Selecting the cards.";
  return `${progress.done.toLocaleString()} of ${progress.total.toLocaleString()}.`;
}

function JobActions({ job, children }: { job: Job; children: ReactNode }) {
  const pause = useMutation(trpc.jobs.pause.mutationOptions({ onSuccess: keepJob }));
  const resume = useMutation(trpc.jobs.resume.mutationOptions({ onSuccess: keepJob }));
  const cancel = useMutation(trpc.jobs.cancel.mutationOptions({ onSuccess: keepJob }));
  const retry = useMutation(trpc.jobs.retry.mutationOptions({ onSuccess: followJob }));
  const undo = useMutation({ mutationFn: () => undoJob(job.id) });
  const { id } = job;
  // What waits for its first turn is cancelled, never held.
  const mayPause = job.status === "running";
  const action = (label: string, run: { isPending: boolean; mutate: () => void }) => (
    <Button
      key={label}
      size="compact-xs"
      variant="default"
      loading={run.isPending}
      onClick={() => run.mutate()}
    >
      {label}
    </Button>
  );
  const ofJob = (run: { isPending: boolean; mutate: (input: { id: string }) => void }) => ({
    isPending: run.isPending,
    mutate: () => run.mutate({ id }),
  });
  return (
    <>
      <div className="job-actions">
        {mayPause && !job.is_cancelling ? action("Pause", ofJob(pause)) : null}
        {job.status === "paused" ? action("Go on", ofJob(resume)) : null}
        {isUnderWay(job) && !job.is_cancelling ? action("Cancel", ofJob(cancel)) : null}
        {job.status === "failed" ? action("Try again", ofJob(retry)) : null}
        {job.can_undo ? action("Undo", undo) : null}
        {children}
      </div>
      {job.can_undo ? (
        <span className="cell-sub">
          An undo leaves cards that have changed since; events already sent stay sent.
        </span>
      ) : null}
      <ProblemNote
        error={pause.error ?? resume.error ?? cancel.error ?? retry.error ?? undo.error}
      />
    </>
  );
}

const chips: Record<Job["status"], { tone: Tone; icon: Icon; words: string }> = {
  queued: { tone: "busy", icon: IconClock, words: "Waiting" },
  running: { tone: "busy", icon: IconLoader, words: "Under way" },
  paused: { tone: "warning", icon: IconPlayerPause, words: "Paused" },
  done: { tone: "good", icon: IconCircleCheck, words: "Done" },
  failed: { tone: "bad", icon: IconAlertTriangle, words: "Stopped" },
  cancelled: { tone: "quiet", icon: IconPlayerStop, words: "Cancelled" },
};

/** Where a job stands, in words with a shape. */
function JobChip({ job }: { job: Job }) {
  const { words, ...look } = chips[job.status];
  return <Chip {...look}>{job.is_cancelling ? "Ends after this step" : words}</Chip>;
}
