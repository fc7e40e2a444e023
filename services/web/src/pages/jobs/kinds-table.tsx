import type { WorkKind } from "@cardvault/contract";
import { workDepthLimit } from "@cardvault/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconAlertTriangle, IconCircleCheck, IconClock, IconLoader } from "@tabler/icons-react";
import { trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { jobKindWords } from "../../parts/job-words.ts";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Section } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";

const refreshMs = 3_000;
/** Work that is due for longer, and nobody takes, says that no worker is there. */
const lateMs = 60_000;

const deliveries = "webhook.delivery";

/** What is open, since when, how much is done, and what fails: by kind of work. */
export function KindsTable() {
  const overview = useQuery(
    trpc.operations.overview.queryOptions(undefined, { refetchInterval: refreshMs }),
  );
  return (
    <Section
      id="kinds"
      title="By kind"
      isTable
      action={
        overview.data === undefined ? undefined : (
          <span className="cell-sub">
            As of <RelativeTime at={overview.data.at} />
          </span>
        )
      }
    >
      {overview.data !== undefined ? (
        <div className="table-scroll">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Open
                </th>
                <th scope="col" className="number">
                  Due
                </th>
                <th scope="col" className="number">
                  Running
                </th>
                <th scope="col" className="number">
                  Paused
                </th>
                <th scope="col">Oldest due</th>
                <th scope="col" className="number">
                  An hour
                </th>
                <th scope="col" className="number">
                  24 hours
                </th>
                <th scope="col" className="number">
                  Failed
                </th>
              </tr>
            </thead>
            <tbody>
              {overview.data.kinds.map((kind) => (
                <KindRow key={kind.kind} kind={kind} at={overview.data.at} />
              ))}
            </tbody>
          </table>
        </div>
      ) : overview.isPending ? (
        <TableSkeleton rows={5} columns={[160, 80, 40, 40, 40, 40, 90, 40, 40, 40]} />
      ) : (
        <ProblemPanel
          error={overview.error}
          what="The job collection"
          onRetry={() => void overview.refetch()}
        />
      )}
    </Section>
  );
}

function KindRow({ kind, at }: { kind: WorkKind; at: string }) {
  const isLate =
    kind.oldest_due_at !== null && Date.parse(at) - Date.parse(kind.oldest_due_at) > lateMs;
  return (
    <tr>
      <td className="fill">
        {kind.kind === deliveries ? (
          <Link to="/jobs" search={{ tab: "accounts" }} title="By account">
            Webhook deliveries
          </Link>
        ) : (
          <Link to="/jobs" search={{ kind: [kind.kind] }} className="clip">
            {jobKindWords(kind.kind)}
          </Link>
        )}
        <span className="cell-sub mono clip">{kind.kind}</span>
      </td>
      <td className="narrow">
        {isLate ? (
          <Chip tone="bad" icon={IconAlertTriangle}>
            Late
          </Chip>
        ) : kind.running > 0 ? (
          <Chip tone="busy" icon={IconLoader}>
            Working
          </Chip>
        ) : kind.due > 0 ? (
          <Chip tone="warning" icon={IconClock}>
            Waiting
          </Chip>
        ) : (
          <Chip tone="good" icon={IconCircleCheck}>
            Nothing due
          </Chip>
        )}
        {kind.unrelayed > 0 && isLate ? (
          <span className="cell-sub">{kind.unrelayed.toLocaleString()} not in the queue</span>
        ) : null}
      </td>
      <td className="narrow number">{depthWords(kind.open)}</td>
      <td className="narrow number">{depthWords(kind.due)}</td>
      <td className="narrow number">{kind.running.toLocaleString()}</td>
      <td className="narrow number">{kind.paused.toLocaleString()}</td>
      <td className="narrow">
        {kind.oldest_due_at === null ? "–" : <RelativeTime at={kind.oldest_due_at} />}
      </td>
      <td className="narrow number">{depthWords(kind.ended_last_hour)}</td>
      <td className="narrow number">{depthWords(kind.ended_last_day)}</td>
      <td className="narrow number">
        {kind.failed_last_day === 0 ? (
          "0"
        ) : kind.kind === deliveries ? (
          <Link
            to="/jobs"
            search={{ tab: "accounts" }}
            title="Attempts; what was dropped, by account"
          >
            {kind.failed_last_day.toLocaleString()}
          </Link>
        ) : (
          <Link to="/jobs" search={{ kind: [kind.kind], status: ["failed"] }}>
            {kind.failed_last_day.toLocaleString()}
          </Link>
        )}
      </td>
    </tr>
  );
}

function depthWords(count: number): string {
  return count >= workDepthLimit ? `${workDepthLimit.toLocaleString()}+` : count.toLocaleString();
}
