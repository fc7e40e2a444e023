import "./job-bar.css";
import type { Job } from "@cardvault/contract";
import { jobTitle } from "./job-words.ts";

/** How far a job is; moving where nobody knows how much there is. */
export function JobBar({ job }: { job: Job }) {
  const { done, total } = job.progress;
  const isKnown = total !== null && total > 0;
  return (
    <progress
      className="job-bar"
      aria-label={jobTitle(job)}
      {...(isKnown ? { max: total, value: Math.min(done, total) } : {})}
    />
  );
}
