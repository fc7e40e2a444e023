import { useQuery } from "@tanstack/react-query";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Section } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { providerErrorWords, providerWords } from "./provider-words.ts";

const refreshMs = 15_000;

/** How the providers of the installation fare. */
export function Providers() {
  const health = useQuery(
    trpc.providers.health.queryOptions(undefined, { refetchInterval: refreshMs }),
  );
  const rows = health.data?.data ?? [];
  const hasCounts = rows.some(({ counts }) => counts !== null);
  return (
    <Section
      id="providers"
      title="Providers"
      isTable
      lead="Image recognition is asked first, then a generative model; prices come from several sources. While one fails, the next is asked."
    >
      {health.isPending ? (
        <TableSkeleton rows={3} columns={[140, 90, 90, 90, 60]} />
      ) : health.isError ? (
        <ProblemPanel
          error={health.error}
          what="The providers"
          onRetry={() => void health.refetch()}
        />
      ) : rows.length === 0 ? (
        <EmptyState
          title="No provider was asked yet"
          action={
            <LinkButton
              to="/inventory"
              search={{ workflow_status: ["imported"] }}
              variant="default"
            >
              Cards to identify
            </LinkButton>
          }
        >
          How each fares stands here once a card was identified or priced. The recogniser of this
          installation needs no third party.
        </EmptyState>
      ) : (
        <div className="table-scroll">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Provider</th>
                <th scope="col">State</th>
                <th scope="col">Last answered</th>
                <th scope="col">Last failed</th>
                <th scope="col" className="number">
                  Takes (ms)
                </th>
                {hasCounts ? (
                  <th scope="col" className="number">
                    Calls, failed
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.provider}>
                  <td className="fill">{providerWords(row.provider)}</td>
                  <td className="narrow">
                    {row.state === "working" ? (
                      <Chip tone="good" icon={IconCircleCheck}>
                        Working
                      </Chip>
                    ) : (
                      <Chip tone="bad" icon={IconAlertTriangle}>
                        Failing
                      </Chip>
                    )}
                    {row.state === "failing" && row.last_error !== null ? (
                      <span className="cell-sub">{providerErrorWords(row.last_error)}</span>
                    ) : null}
                  </td>
                  <td className="narrow">
                    {row.last_succeeded_at === null ? (
                      "Never"
                    ) : (
                      <RelativeTime at={row.last_succeeded_at} />
                    )}
                  </td>
                  <td className="narrow">
                    {row.last_failed_at === null ? (
                      "Never"
                    ) : (
                      <RelativeTime at={row.last_failed_at} />
                    )}
                  </td>
                  <td className="narrow number">{row.average_ms?.toLocaleString() ?? "–"}</td>
                  {row.counts === null ? null : (
                    <td className="narrow number">
                      {(row.counts.succeeded + row.counts.failed).toLocaleString()},{" "}
                      {row.counts.failed.toLocaleString()}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
