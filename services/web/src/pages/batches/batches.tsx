import type { BatchStatus } from "@cardvault/contract";
import { batchStatuses } from "@cardvault/contract";
import { Button, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { batchSortWords } from "../../app/search.ts";
import type { BatchesSearch } from "../../app/search.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { BatchDialog } from "./batch-dialog.tsx";
import { BatchTable } from "./batch-table.tsx";

const pageSize = 50;

const statusWords: Record<BatchStatus, string> = {
  open: "Open",
  processing: "A job works on it",
  complete: "Complete",
};

/** Cards that came in together, and how far they are. */
export function BatchesPage() {
  const search = useSearch({ from: "/inside/inventory/batches" });
  const navigate = useNavigate({ from: "/inventory/batches" });
  const batches = useBatches(search);
  const rows = batches.data?.pages.flatMap((page) => page.data) ?? [];
  const total = useQuery(
    trpc.batches.find.queryOptions({
      limit: 1,
      ...(search.status === undefined ? {} : { status: [search.status] }),
    }),
  );
  const filter = (next: BatchesSearch) => void navigate({ search: next, replace: true });
  const isMaking = search.new === true;
  return (
    <Page
      title="Batches"
      lead="Cards that came in together: what each new card starts with, what they cost, and how far they are."
      action={<Button onClick={() => filter({ ...search, new: true })}>New batch</Button>}
    >
      <div className="panel">
        <div className="bulk-bar">
          <Select
            aria-label="State"
            placeholder="Every state"
            clearable
            clearButtonProps={{ "aria-label": "Every state" }}
            size="xs"
            w={168}
            data={batchStatuses.map((value) => ({ value, label: statusWords[value] }))}
            value={search.status ?? null}
            onChange={(value) =>
              filter({ ...search, status: batchStatuses.find((status) => status === value) })
            }
          />
          <Select
            aria-label="Order"
            size="xs"
            w={168}
            allowDeselect={false}
            data={Object.entries(batchSortWords).map(([value, label]) => ({ value, label }))}
            value={search.sort ?? "-created_at"}
            onChange={(value) => filter({ ...search, sort: sortOf(value) })}
          />
        </div>
        {batches.isPending ? (
          <TableSkeleton rows={8} columns={[220, 90, 160, 48, 48, 48, 72, 72]} />
        ) : batches.isError && rows.length === 0 ? (
          <ProblemPanel
            error={batches.error}
            what="The batches"
            onRetry={() => void batches.refetch()}
          />
        ) : rows.length === 0 ? (
          <NoBatches
            isFiltered={search.status !== undefined}
            onNew={() => filter({ ...search, new: true })}
            onAll={() => filter({ sort: search.sort })}
          />
        ) : (
          <>
            <BatchTable batches={rows} />
            <LoadMore query={batches} shown={rows.length} total={total.data?.count} />
          </>
        )}
      </div>
      <BatchDialog
        opened={isMaking}
        batch={null}
        onClose={() => filter({ ...search, new: undefined })}
        onSaved={({ id }) => void navigate({ to: "/inventory/batches/$id", params: { id } })}
      />
    </Page>
  );
}

function sortOf(value: string | null): BatchesSearch["sort"] {
  const known = Object.keys(batchSortWords) as (keyof typeof batchSortWords)[];
  const found = known.find((sort) => sort === value);
  return found === "-created_at" ? undefined : found;
}

function useBatches({ status, sort }: BatchesSearch) {
  const input = {
    ...(status === undefined ? {} : { status: [status] }),
    ...(sort === undefined ? {} : { sort }),
  };
  return useInfiniteQuery({
    queryKey: [...trpc.batches.list.pathKey(), input],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.batches.list.query(
        { ...input, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

function NoBatches(props: { isFiltered: boolean; onNew: () => void; onAll: () => void }) {
  return props.isFiltered ? (
    <EmptyState
      title="No batch is in this state"
      action={
        <Button variant="default" onClick={props.onAll}>
          Show every batch
        </Button>
      }
    >
      Other batches are open, complete, or have a job at work.
    </EmptyState>
  ) : (
    <EmptyState title="No batches yet" action={<Button onClick={props.onNew}>New batch</Button>}>
      A batch holds cards that came in together, say a collection that you bought. It gives each new
      card its set, condition and place, and spreads what it cost over them.
    </EmptyState>
  );
}
