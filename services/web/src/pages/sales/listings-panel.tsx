import type { ListingStatus } from "@cardvault/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { ListingBar } from "./listing-bar.tsx";
import { ListingTable } from "./listing-table.tsx";
import type { SalesTab } from "./sales-search.ts";

export type ListingTab = Extract<SalesTab, "live" | "sold" | "ended" | "failed">;

const pageSize = 100;
/** The worker moves listings on: publishing ones above all. */
const everyMs = 10_000;
const soonMs = 2_000;

const statusesOf: Record<ListingTab, ListingStatus[]> = {
  live: ["publishing", "live"],
  sold: ["sold"],
  ended: ["ended"],
  failed: ["failed"],
};

function useListings(tab: ListingTab) {
  const filters = {
    status: statusesOf[tab],
    // One that was published again is history.
    ...(tab === "failed" ? { latest: true as const } : {}),
    sort: tab === "live" ? ("-created_at" as const) : ("-ended_at" as const),
  };
  return useInfiniteQuery({
    queryKey: [...trpc.sales.listings.pathKey(), filters],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.sales.listings.query(
        { ...filters, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // A list that was scrolled through is left in peace; live changes patch it.
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      if (pages.length > 1) return false;
      const isMoving = pages[0]?.data.some(({ listing }) => listing.status === "publishing");
      return isMoving === true ? soonMs : everyMs;
    },
  });
}

/** The listings of one tab. */
export function ListingsPanel({ tab, isTest }: { tab: ListingTab; isTest: boolean }) {
  const listings = useListings(tab);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = listings.data?.pages.flatMap(({ data }) => data) ?? [];
  const selected = rows.filter(({ listing }) => chosen.has(listing.id));
  if (listings.isPending) {
    return (
      <div className="panel">
        <TableSkeleton rows={8} columns={[16, 32, 280, 90, 60, 90, 120, 90]} />
      </div>
    );
  }
  if (listings.isError && rows.length === 0) {
    return (
      <div className="panel">
        <ProblemPanel
          error={listings.error}
          what="The listings"
          onRetry={() => void listings.refetch()}
        />
      </div>
    );
  }
  return (
    <div className="panel">
      {rows.length === 0 ? (
        <NoListings tab={tab} />
      ) : (
        <>
          <ListingBar
            tab={tab}
            shown={rows.length}
            selected={selected}
            onDone={() => setChosen(new Set())}
          />
          <ListingTable
            tab={tab}
            rows={rows}
            chosen={chosen}
            isTest={isTest}
            onChoose={setChosen}
          />
          <LoadMore query={listings} shown={rows.length} />
        </>
      )}
    </div>
  );
}

function NoListings({ tab }: { tab: ListingTab }) {
  switch (tab) {
    case "live":
      return (
        <EmptyState
          title="Nothing is for sale"
          action={
            <LinkButton to="/inventory" search={{ workflow_status: ["priced", "photographed"] }}>
              Choose cards to publish
            </LinkButton>
          }
        >
          Cards that are priced and have a photo can be published from the inventory, one or many.
        </EmptyState>
      );
    case "sold":
      return (
        <EmptyState
          title="No listing has sold yet"
          action={
            <LinkButton to="/sales" search={{ tab: "live" }} variant="default">
              See what is live
            </LinkButton>
          }
        >
          A sale stands here within a minute, and its card among those to pull.
        </EmptyState>
      );
    case "ended":
      return (
        <EmptyState title="No listing has ended without a sale">
          A listing that is withdrawn, runs out or is ended by eBay comes to stand here.
        </EmptyState>
      );
    case "failed":
      return (
        <EmptyState title="Nothing has failed">
          What eBay refuses stands here, with its reason and what to do about it.
        </EmptyState>
      );
  }
}
