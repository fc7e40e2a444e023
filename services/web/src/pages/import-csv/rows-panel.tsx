import type { CardImport, ImportOutcome, ImportVerdict } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { IconDownload } from "@tabler/icons-react";
import { shownOutcomes, shownVerdicts } from "../../app/search.ts";
import type { ShownRows } from "../../app/search.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { LoadMore } from "../../parts/load-more.tsx";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { downloadBadRows } from "./bad-rows.ts";
import { outcomeWords, verdictWords } from "./list-words.ts";
import { RowTable } from "./row-table.tsx";

const pageSize = 100;

interface Tab {
  rows: ShownRows;
  words: string;
  count: number;
}

/** The three that are always looked for; the others where there are any. */
const always: readonly ShownRows[] = ["valid", "invalid", "duplicate"];

function tabsOf({ status, verdicts, outcomes }: CardImport): Tab[] {
  const isImported = status !== "checked";
  const ofOutcomes = isImported
    ? shownOutcomes.map((name) => ({
        rows: name,
        words: outcomeWords[name],
        count: outcomes[name],
      }))
    : [];
  const ofVerdicts = shownVerdicts.map((name) => ({
    rows: name,
    words: verdictWords[name],
    count: verdicts[name],
  }));
  const all: Tab[] = [...ofOutcomes, ...ofVerdicts];
  return all.filter(({ rows, count }) => count > 0 || (!isImported && always.includes(rows)));
}

/** The rows of a list, by what their check said and what became of them. */
export function RowsPanel({ list }: { list: CardImport }) {
  const search = useSearch({ from: "/inside/import/csv" });
  const tabs = tabsOf(list);
  const fallback = list.status === "checked" && list.verdicts.invalid > 0 ? "invalid" : undefined;
  const wanted = search.rows ?? fallback;
  const current = tabs.find(({ rows }) => rows === wanted) ?? tabs[0];
  if (current === undefined) return null;
  return (
    <section aria-label="Rows">
      <nav className="tabs" aria-label="Rows by state" style={{ marginTop: 0 }}>
        {tabs.map(({ rows, words, count }) => (
          <Link
            key={rows}
            className="tab"
            to="/import/csv"
            search={{ ...search, rows }}
            replace
            data-current={rows === current.rows || undefined}
          >
            {words} <span className="tab-count">{count.toLocaleString()}</span>
          </Link>
        ))}
        {list.verdicts.invalid + list.outcomes.failed > 0 ? <BadRows list={list} /> : null}
      </nav>
      <div className="panel">
        <Rows key={`${current.rows} ${list.updated_at}`} list={list} shown={current} />
      </div>
    </section>
  );
}

function Rows({ list, shown }: { list: CardImport; shown: Tab }) {
  const only = shownVerdicts.some((name) => name === shown.rows)
    ? { verdict: shown.rows as ImportVerdict }
    : { outcome: shown.rows as ImportOutcome };
  const rows = useInfiniteQuery({
    queryKey: [...trpc.imports.rows.pathKey(), { id: list.id, ...only }, list.updated_at],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.imports.rows.query(
        { id: list.id, ...only, after_row: pageParam, limit: pageSize },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.has_more ? page.data.at(-1)?.row : undefined),
  });
  const all = rows.data?.pages.flatMap((page) => page.data) ?? [];
  if (rows.isPending) return <TableSkeleton rows={8} columns={[40, 220, 160, 60, 60, 160]} />;
  if (rows.isError && all.length === 0) {
    return <ProblemPanel error={rows.error} what="The rows" onRetry={() => void rows.refetch()} />;
  }
  if (all.length === 0) {
    return (
      <p className="cell-sub" style={{ margin: 0, padding: 16 }}>
        There is no such row.
      </p>
    );
  }
  return (
    <>
      <RowTable rows={all} />
      <LoadMore query={rows} shown={all.length} total={shown.count} />
    </>
  );
}

function BadRows({ list }: { list: CardImport }) {
  const download = useMutation({ mutationFn: () => downloadBadRows(list) });
  return (
    <span style={{ marginLeft: "auto" }}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download the bad rows
      </Button>
      <ProblemNote error={download.error} />
    </span>
  );
}
