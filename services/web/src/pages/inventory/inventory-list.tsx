import type { CardFilter, CardTotals, InventorySort } from "@cardvault/contract";
import { Button, Skeleton } from "@mantine/core";
import { Suspense, useSyncExternalStore } from "react";
import type { RefObject } from "react";
import type { InventorySearch } from "../../app/inventory-search.ts";
import { useIsRoute } from "../../app/jump-keys.ts";
import { lazyPart } from "../../app/lazy-part.tsx";
import type { useCardOrder } from "../../parts/card-order.ts";
import { cardRows } from "../../parts/card-rows.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { CardTable } from "./card-table.tsx";
import type { Column } from "./columns.tsx";
import type { Density } from "./density.ts";
import type { ListHandle } from "./list-keys.ts";

const CardGrid = lazyPart(() => import("./card-grid.tsx").then((file) => file.CardGrid));

/** The list in its four states: on its way, not to be had, empty, there. */
export function InventoryList(props: {
  list: ReturnType<typeof useCardOrder>;
  search: InventorySearch;
  filter: CardFilter;
  totals: CardTotals | undefined;
  columns: readonly Column[];
  currency: string;
  density: Density;
  handle: RefObject<ListHandle | null>;
  onOpen: (id: string) => void;
  onSort: (sort: InventorySort | undefined) => void;
  onShowAll: () => void;
}) {
  const { list, search, filter, totals, density, currency, handle, onOpen } = props;
  const { order } = list;
  if (list.isPending) return <ListSkeleton isGrid={search.shown === "grid"} density={density} />;
  if (order.length === 0) {
    return (
      <div className="list-state">
        {list.error === null ? (
          <NoCards isFiltered={Object.keys(filter).length > 0} onShowAll={props.onShowAll} />
        ) : (
          <ProblemPanel error={list.error} what="The cards" onRetry={() => void list.refresh()} />
        )}
      </div>
    );
  }
  const count = list.isWhole || totals === undefined ? order.length : totals.count;
  return (
    <>
      <RowsProblem />
      {list.error === null ? null : (
        <div className="rows-problem">
          <ProblemNote error={list.error} />
          <Button size="compact-xs" variant="default" onClick={() => void list.refresh()}>
            Retry
          </Button>
        </div>
      )}
      {search.shown === "grid" ? (
        <Suspense fallback={<ListSkeleton isGrid density={density} />}>
          <CardGrid
            order={order}
            currency={currency}
            count={count}
            onOpen={onOpen}
            handle={handle}
          />
        </Suspense>
      ) : (
        <CardTable
          order={order}
          columns={props.columns}
          currency={currency}
          density={density}
          sort={search.sort}
          count={count}
          onSort={props.onSort}
          onOpen={onOpen}
          handle={handle}
        />
      )}
    </>
  );
}

/** Rows that could not be loaded: those that were stay, and one click asks for the others. */
function RowsProblem() {
  const rows = cardRows();
  useSyncExternalStore(rows.subscribe, rows.version);
  const problem = rows.problem();
  if (problem === null) return null;
  return (
    <div className="rows-problem">
      <ProblemNote error={problem} />
      <Button size="compact-xs" variant="default" onClick={rows.retry}>
        Retry
      </Button>
    </div>
  );
}

function NoCards(props: { isFiltered: boolean; onShowAll: () => void }) {
  const isRoute = useIsRoute();
  if (props.isFiltered) {
    return (
      <EmptyState
        title="No card matches"
        action={
          <Button variant="default" onClick={props.onShowAll}>
            Show every card
          </Button>
        }
      >
        No card of this account fits the search and the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No cards yet"
      action={isRoute("/import") ? <LinkButton to="/import">Import cards</LinkButton> : null}
    >
      Cards appear here as soon as they are imported: from photos, or from a list of another tool.
    </EmptyState>
  );
}

function ListSkeleton({ isGrid, density }: { isGrid: boolean; density: Density }) {
  return (
    <div className="list-scroll list-waiting" aria-busy="true">
      <span className="visually-hidden">Loading</span>
      {isGrid ? (
        <div className="grid-waiting">
          {Array.from({ length: 18 }, (_, index) => (
            <span key={index} className="card-picture tile-waiting" />
          ))}
        </div>
      ) : (
        Array.from({ length: 16 }, (_, index) => (
          <div key={index} className="row-waiting" data-density={density}>
            <Skeleton height={12} width={index % 3 === 0 ? "38%" : "30%"} />
            <Skeleton height={12} width="12%" />
            <Skeleton height={12} width="8%" />
            <Skeleton height={12} width="10%" />
          </div>
        ))
      )}
    </div>
  );
}
