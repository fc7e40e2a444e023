import type { TrailEntry, TrailSubject } from "@cardvault/contract";
import { trailSubjects } from "@cardvault/contract";
import { Button, MultiSelect } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { timeRangeOf } from "../../app/search.ts";
import type { TimeSearch } from "../../app/search.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ListBody } from "../../parts/list-body.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { actionWords, actorWords, detailWords, subjectWords } from "../../parts/trail-words.ts";

const pageSize = 50;

interface TrailSearch extends TimeSearch {
  about?: TrailSubject[] | undefined;
}

function useTrail({ about, ...time }: TrailSearch) {
  const filters = about === undefined ? {} : { about };
  return useInfiniteQuery({
    queryKey: [...trpc.accounts.trail.pathKey(), filters, time],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.accounts.trail.query(
        {
          ...filters,
          ...timeRangeOf(time),
          limit: pageSize,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Who did what to the account, its keys, endpoints and members. */
export function Trail() {
  const { about, period, since, until } = useSearch({ from: "/inside/settings/account" });
  const navigate = useNavigate({ from: "/settings/account" });
  const trail = useTrail({ about, period, since, until });
  const rows = trail.data?.pages.flatMap((page) => page.data) ?? [];
  const isFiltered = [about, period, since, until].some((value) => value !== undefined);
  const filter = (next: TrailSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <div className="panel">
      <div className="bulk-bar">
        <MultiSelect
          aria-label="About"
          placeholder={about === undefined ? "About everything" : ""}
          size="xs"
          miw={180}
          maw={420}
          clearable
          clearButtonProps={{ "aria-label": "About everything" }}
          data={trailSubjects.map((value) => ({ value, label: subjectWords[value] }))}
          value={about ?? []}
          onChange={(values) => {
            const chosen = trailSubjects.filter((known) => values.includes(known));
            filter({ about: chosen.length > 0 ? chosen : undefined });
          }}
        />
        <TimeFilter value={{ period, since, until }} onChange={filter} />
      </div>
      <ListBody
        query={trail}
        shown={rows.length}
        total={trail.data?.pages[0]?.total}
        what="The trail"
        columns={[260, 140, 90]}
        empty={
          <EmptyState
            title={isFiltered ? "Nothing in the trail matches" : "Nothing happened yet"}
            action={
              isFiltered ? (
                <Button
                  variant="default"
                  onClick={() => void navigate({ search: { tab: "trail" }, replace: true })}
                >
                  Show the whole trail
                </Button>
              ) : undefined
            }
          >
            Who did what to the account, its keys, endpoints and members stands here, and is kept.
          </EmptyState>
        }
      >
        <TrailTable rows={rows} />
      </ListBody>
    </div>
  );
}

function TrailTable({ rows }: { rows: readonly TrailEntry[] }) {
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">By</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => {
            const more = detailWords(entry);
            return (
              <tr key={entry.id}>
                <td className="fill">
                  {actionWords(entry.action)}
                  {more === null ? null : <span className="cell-sub wrap">{more}</span>}
                </td>
                <td className="narrow">{actorWords(entry.actor)}</td>
                <td className="narrow">
                  <RelativeTime at={entry.created_at} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
