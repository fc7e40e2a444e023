import { jobStatuses } from "@cardvault/contract";
import type { OperatorJob } from "@cardvault/contract";
import { Button, MultiSelect } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { IconX } from "@tabler/icons-react";
import type { JobsSearch } from "../../app/search.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { jobKindWords, outcomeWords, reasonWords } from "../../parts/job-words.ts";
import { ListBody } from "../../parts/list-body.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Section } from "../../parts/section.tsx";
import { JobStatusChip, jobStatusWords } from "./job-status.tsx";

const pageSize = 50;
const refreshMs = 4_000;

function useEveryJob({ status, kind, account }: JobsSearch) {
  const filters = {
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
    ...(account === undefined ? {} : { account_id: account }),
  };
  return useInfiniteQuery({
    queryKey: [...trpc.operations.jobs.pathKey(), filters],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.operations.jobs.query(
        { ...filters, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Workers change it at any time; a list that was scrolled through is left in peace.
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refreshMs),
  });
}

/** Every job of every account, by state, kind and account. */
export function JobList() {
  const search = useSearch({ from: "/inside/jobs" });
  const navigate = useNavigate({ from: "/jobs" });
  const jobs = useEveryJob(search);
  const kinds = useQuery(trpc.operations.overview.queryOptions()).data?.kinds ?? [];
  const rows = jobs.data?.pages.flatMap((page) => page.data) ?? [];
  const isFiltered = [search.status, search.kind, search.account].some(
    (value) => value !== undefined,
  );
  const filter = (next: Partial<JobsSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const known = [...new Set([...kinds.map(({ kind }) => kind), ...(search.kind ?? [])])].filter(
    (kind) => kind !== "webhook.delivery",
  );
  return (
    <Section id="jobs" title="Jobs" isTable>
      <div className="bulk-bar">
        <MultiSelect
          aria-label="State"
          placeholder={search.status === undefined ? "Every state" : ""}
          size="xs"
          miw={160}
          maw={420}
          clearable
          clearButtonProps={{ "aria-label": "Every state" }}
          data={jobStatuses.map((value) => ({ value, label: jobStatusWords[value] }))}
          value={search.status ?? []}
          onChange={(values) => {
            const status = jobStatuses.filter((one) => values.includes(one));
            filter({ status: status.length > 0 ? status : undefined });
          }}
        />
        <MultiSelect
          aria-label="Kind"
          placeholder={search.kind === undefined ? "Every kind" : ""}
          size="xs"
          miw={200}
          maw={480}
          clearable
          clearButtonProps={{ "aria-label": "Every kind" }}
          data={known.map((value) => ({ value, label: jobKindWords(value) }))}
          value={search.kind ?? []}
          onChange={(values) => filter({ kind: values.length > 0 ? values : undefined })}
        />
        {search.account === undefined ? null : (
          <Button
            size="xs"
            variant="default"
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => filter({ account: undefined })}
          >
            <span className="visually-hidden">Show every account, not only </span>
            {rows[0]?.account?.name ?? "One account"}
          </Button>
        )}
      </div>
      <ListBody
        query={jobs}
        shown={rows.length}
        what="The jobs"
        columns={[180, 90, 160, 160, 90]}
        empty={
          <EmptyState
            title={isFiltered ? "No job matches" : "No job yet"}
            action={
              isFiltered ? (
                <Button
                  variant="default"
                  onClick={() => void navigate({ search: {}, replace: true })}
                >
                  Show every job
                </Button>
              ) : undefined
            }
          >
            Imports, bulk edits, recoveries and the installation’s own housekeeping stand here.
          </EmptyState>
        }
      >
        <JobTable rows={rows} />
      </ListBody>
    </Section>
  );
}

function JobTable({ rows }: { rows: readonly OperatorJob[] }) {
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">State</th>
            <th scope="col">Account</th>
            <th scope="col">Came to</th>
            <th scope="col">Asked for</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((job) => (
            <tr key={job.id}>
              <td className="fill">
                <Link
                  from="/jobs"
                  to="/jobs"
                  search={(before) => ({ ...before, job: job.id })}
                  resetScroll={false}
                  className="clip"
                >
                  {jobKindWords(job.kind)}
                </Link>
                <span className="cell-sub mono clip">{job.id}</span>
              </td>
              <td className="narrow">
                <JobStatusChip status={job.status} />
                {job.is_cancelling ? <span className="cell-sub">Being cancelled</span> : null}
                {job.error === null ? null : (
                  <span className="cell-sub">{reasonWords(job.error.code)}</span>
                )}
              </td>
              <td className="narrow">
                {job.account === null ? (
                  "Installation"
                ) : (
                  <Link
                    from="/jobs"
                    to="/jobs"
                    search={(before) => ({ ...before, account: job.account?.id })}
                    className="clip"
                    style={{ maxWidth: "24ch" }}
                  >
                    {job.account.name}
                  </Link>
                )}
              </td>
              <td className="narrow">
                {job.progress.total === null && job.progress.done === 0
                  ? "–"
                  : `${job.progress.done.toLocaleString()}${job.progress.total === null ? "" : ` of ${job.progress.total.toLocaleString()}`}`}
                {job.progress.done === 0 ? null : (
                  <span className="cell-sub">{outcomeWords(job)}</span>
                )}
              </td>
              <td className="narrow">
                <RelativeTime at={job.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
