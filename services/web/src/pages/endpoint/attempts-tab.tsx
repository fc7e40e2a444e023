import { attemptOutcomes } from "@cardvault/contract";
import type { AttemptSummary } from "@cardvault/contract";
import { Button, MultiSelect } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { EndpointSearch } from "../../app/search.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { OutcomeChip } from "../../parts/answer.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { EventFilter } from "../../parts/event-filter.tsx";
import { ListBody } from "../../parts/list-body.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { timingWords } from "../../parts/timings.tsx";
import { attemptOutcomeWords } from "../../parts/words.ts";
import { DeliveryDrawer } from "../deliveries/delivery-drawer.tsx";
import { useTimedList } from "./timed-list.ts";

function useAttempts(endpointId: string, search: EndpointSearch) {
  const { outcome, event, period, since, until } = search;
  const filters = {
    endpoint_id: endpointId,
    ...(outcome === undefined ? {} : { outcome }),
    ...(event === undefined ? {} : { event }),
  };
  const { list } = trpcClient.webhooks.attempts;
  return useTimedList(
    [...trpc.webhooks.attempts.list.pathKey(), filters],
    { period, since, until },
    (input, signal) => list.query({ ...filters, ...input }, { signal }),
  );
}

/** Every POST to the endpoint, the latest first: what it took and what was answered. */
export function AttemptsTab({ endpointId }: { endpointId: string }) {
  const search = useSearch({ from: "/inside/settings/webhooks/$id" });
  const navigate = useNavigate({ from: "/settings/webhooks/$id" });
  const attempts = useAttempts(endpointId, search);
  const rows = attempts.data?.pages.flatMap((page) => page.data) ?? [];
  const filter = (next: Partial<EndpointSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <>
      <div className="bulk-bar">
        <MultiSelect
          aria-label="Answer"
          placeholder={search.outcome === undefined ? "Every answer" : ""}
          size="xs"
          miw={160}
          maw={420}
          clearable
          clearButtonProps={{ "aria-label": "Every answer" }}
          data={attemptOutcomes.map((value) => ({ value, label: attemptOutcomeWords[value] }))}
          value={search.outcome ?? []}
          onChange={(values) => {
            const outcome = attemptOutcomes.filter((known) => values.includes(known));
            filter({ outcome: outcome.length > 0 ? outcome : undefined });
          }}
        />
        <EventFilter value={search.event} onChange={(event) => filter({ event })} />
        <TimeFilter value={search} onChange={filter} />
      </div>
      <ListBody
        query={attempts}
        shown={rows.length}
        total={attempts.data?.pages[0]?.total}
        what="The attempts"
        columns={[240, 140, 90, 60]}
        empty={<NoAttempts search={search} />}
      >
        <AttemptTable rows={rows} />
      </ListBody>
      <DeliveryDrawer
        id={search.delivery}
        onClose={() =>
          void navigate({
            search: (before) => ({ ...before, delivery: undefined }),
            resetScroll: false,
          })
        }
      />
    </>
  );
}

function NoAttempts({ search }: { search: EndpointSearch }) {
  const { outcome, event, period, since, until } = search;
  const navigate = useNavigate({ from: "/settings/webhooks/$id" });
  if ([outcome, event, period, since, until].every((value) => value === undefined)) {
    return (
      <EmptyState title="No attempts yet">
        Each POST to this endpoint stands here, with what it took and what your receiver answered.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No attempt matches"
      action={
        <Button
          variant="default"
          onClick={() => void navigate({ search: { tab: "attempts" }, replace: true })}
        >
          Show every attempt
        </Button>
      }
    >
      No POST to this endpoint came to that.
    </EmptyState>
  );
}

function AttemptTable({ rows }: { rows: readonly AttemptSummary[] }) {
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Answer</th>
            <th scope="col">Took</th>
            <th scope="col">Began</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="fill">
                <Link
                  from="/settings/webhooks/$id"
                  to="/settings/webhooks/$id"
                  resetScroll={false}
                  search={(before) => ({ ...before, delivery: row.delivery_id })}
                  className="mono clip"
                >
                  {row.event}
                </Link>
                <span className="cell-sub mono clip">
                  {row.event_id} · attempt {row.number}
                </span>
              </td>
              <td className="narrow">
                <OutcomeChip {...row} />
              </td>
              <td className="narrow">
                {row.total_ms.toLocaleString()} ms
                <span className="cell-sub">{timingWords(row)}</span>
              </td>
              <td className="narrow">
                <RelativeTime at={row.started_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
