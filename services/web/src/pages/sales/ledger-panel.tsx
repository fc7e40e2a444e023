import type { SalesGrouping, SalesSummary } from "@cardvault/contract";
import { Button, Select, SegmentedControl, Skeleton } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { IconDownload, IconX } from "@tabler/icons-react";
import { useMemo } from "react";
import { currentAccountId } from "../../app/account.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { formatMoney } from "../../parts/money.ts";
import { isUnread, NotRead } from "../../parts/not-read.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { counted } from "../../parts/words.ts";
import { dayWords, LedgerGroups, LedgerTable } from "./ledger-tables.tsx";
import { groupings } from "./sales-search.ts";
import type { LedgerPeriod, SalesSearch } from "./sales-search.ts";

const pageSize = 100;
const daysOf: Record<LedgerPeriod, number | null> = {
  "30d": 30,
  "90d": 90,
  "365d": 365,
  all: null,
};
const periodWords: Record<LedgerPeriod, string> = {
  "30d": "30 days",
  "90d": "90 days",
  "365d": "A year",
  all: "All",
};
const groupingWords: Record<SalesGrouping, string> = {
  month: "Month",
  day: "Day",
  batch: "Batch",
  card: "Card",
  place: "Place",
};

/** To whole days, so that the same question is asked until midnight. */
function startOf(period: LedgerPeriod): string | undefined {
  const days = daysOf[period];
  if (days === null) return undefined;
  const now = new Date();
  // By the calendar, since a day has 23 or 25 hours where the clock is changed.
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1)).toISOString();
}

/** From one midnight to the next where the reader is. */
function rangeOf(day: string): { from: string; to: string } {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const midnight = (daysAfter: number) => new Date(year, month - 1, date + daysAfter).toISOString();
  return { from: midnight(0), to: midnight(1) };
}

function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What sales came to: sums, groups, and every line, as a file too. */
export function LedgerPanel({ currency }: { currency: string }) {
  const search = useSearch({ from: "/inside/sales" });
  const navigate = useNavigate();
  const { period = "90d", day, by = "month", kind, state, batch, card } = search;
  const range = useMemo(
    () => (day === undefined ? { from: startOf(period) } : rangeOf(day)),
    [day, period],
  );
  const filters = { ...range, kind, batch, card };
  const summary = useQuery(
    trpc.sales.summary.queryOptions(
      { ...filters, by, time_zone: timeZone() },
      { refetchInterval: 30_000 },
    ),
  );
  const listed = { ...filters, state };
  const sales = useInfiniteQuery({
    queryKey: [...trpc.sales.list.pathKey(), listed],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.sales.list.query(
        { ...listed, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const change = (more: Partial<SalesSearch>) =>
    void navigate({ to: "/sales", search: { ...search, tab: "ledger", ...more }, replace: true });
  const rows = sales.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <div className="ledger-bar">
        <SegmentedControl
          withItemsBorders={false}
          aria-label="Period"
          size="xs"
          data={Object.entries(periodWords).map(([value, label]) => ({ value, label }))}
          value={day === undefined ? period : ""}
          onChange={(value) => change({ period: value as LedgerPeriod, day: undefined })}
        />
        <Select
          aria-label="Where it was sold"
          size="xs"
          w={160}
          data={[
            { value: "every", label: "Everywhere" },
            { value: "marketplace", label: "eBay" },
            { value: "by_hand", label: "Recorded by hand" },
          ]}
          value={kind ?? "every"}
          allowDeselect={false}
          onChange={(value) =>
            change({ kind: value === "marketplace" || value === "by_hand" ? value : undefined })
          }
        />
        {day === undefined ? null : (
          <Button
            size="xs"
            variant="default"
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => change({ day: undefined })}
          >
            {dayWords.format(Date.parse(day))}
            <span className="visually-hidden">, show all days again</span>
          </Button>
        )}
        {batch === undefined && card === undefined ? null : (
          <Button
            size="xs"
            variant="default"
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => change({ batch: undefined, card: undefined })}
          >
            {batch === undefined ? "One card" : "One batch"}
            <span className="visually-hidden">, show all again</span>
          </Button>
        )}
        <Button
          component="a"
          href={fileAddress(listed)}
          download
          size="xs"
          variant="default"
          ml="auto"
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          CSV
        </Button>
      </div>
      <Sums
        summary={summary.data}
        currency={currency}
        error={summary.error}
        onRetry={() => void summary.refetch()}
      />
      <section className="panel settle" aria-labelledby="groups">
        <SectionHead id="groups" title="Profit against cost">
          <SegmentedControl
            withItemsBorders={false}
            aria-label="By"
            size="xs"
            data={groupings.map((value) => ({ value, label: groupingWords[value] }))}
            value={by}
            onChange={(value) => change({ by: groupings.find((one) => one === value) })}
          />
        </SectionHead>
        {isUnread(summary) ? (
          <NotRead reading={summary} what="The groups" />
        ) : summary.data === undefined ? (
          <TableSkeleton rows={4} columns={[200, 80, 100, 100, 100, 100]} />
        ) : (
          <LedgerGroups by={by} summary={summary.data} search={search} />
        )}
      </section>
      <section className="panel settle" aria-labelledby="lines">
        <SectionHead id="lines" title="Every sale">
          <SegmentedControl
            withItemsBorders={false}
            aria-label="Which sales"
            size="xs"
            data={[
              { value: "all", label: "All" },
              { value: "counted", label: "Counted" },
              { value: "cancelled", label: "Cancelled" },
            ]}
            value={state ?? "all"}
            onChange={(value) =>
              change({ state: value === "counted" || value === "cancelled" ? value : undefined })
            }
          />
        </SectionHead>
        {sales.isPending ? (
          <TableSkeleton rows={6} columns={[300, 120, 60, 90, 90, 90, 90]} />
        ) : sales.isError && rows.length === 0 ? (
          <ProblemPanel
            error={sales.error}
            what="The ledger"
            onRetry={() => void sales.refetch()}
          />
        ) : rows.length === 0 ? (
          <EmptyState title="No sale in this time">
            A sale on eBay is written down by itself, one made elsewhere once it is recorded.
          </EmptyState>
        ) : (
          <>
            <LedgerTable rows={rows} currency={currency} />
            <LoadMore query={sales} shown={rows.length} total={sales.data?.pages[0]?.total} />
          </>
        )}
      </section>
    </>
  );
}

/** A link cannot name its account in a header. */
function fileAddress(filters: Record<string, string | undefined>): string {
  const query = new URLSearchParams({ account: currentAccountId() ?? "" });
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) query.set(name, value);
  }
  return `/trpc/files/sales?${query.toString()}`;
}

function Sums(props: {
  summary: SalesSummary | undefined;
  currency: string;
  error: unknown;
  onRetry: () => void;
}) {
  const { summary, error, onRetry } = props;
  if (summary === undefined) {
    if (error !== null) {
      return (
        <div className="panel">
          <ProblemPanel error={error} what="The sums" onRetry={onRetry} />
        </div>
      );
    }
    return <Skeleton height={92} radius="md" />;
  }
  const { totals, open } = summary;
  const unknown =
    totals.without_cost === 0
      ? "cost known of all"
      : `without ${formatMoney(totals.revenue_without_cost)} from ${counted(totals.without_cost, "sale")} of unknown cost`;
  return (
    <dl className="panel ledger-sums">
      <Figure
        name="Sold for"
        value={formatMoney(totals.revenue)}
        sub={`${counted(totals.sales, "sale")}, ${counted(totals.copies, "copy", "copies")}`}
      />
      <Figure
        name="Fees"
        value={formatMoney(totals.fees)}
        sub={totals.without_fee === 0 ? "all known" : `${totals.without_fee} not known yet`}
      />
      <Figure name="Cost" value={formatMoney(totals.cost)} sub="as it was when sold" />
      <Figure name="Profit" value={formatMoney(totals.profit)} sub={unknown} isMain />
      <Figure
        name="Unsold, at cost"
        value={formatMoney(open.cost)}
        sub={`${formatMoney(open.asking)} asked for ${counted(open.copies, "copy", "copies")}`}
      />
    </dl>
  );
}

function Figure(props: { name: string; value: string; sub: string; isMain?: boolean }) {
  return (
    <div data-main={props.isMain === true ? "" : undefined}>
      <dt>{props.name}</dt>
      <dd>
        <strong>{props.value}</strong>
        <span className="cell-sub">{props.sub}</span>
      </dd>
    </div>
  );
}
