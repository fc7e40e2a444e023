import "./inventory.css";
import type { InventorySort, InventoryView } from "@cardvault/contract";
import { Title } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { filterOf, inventorySearch, withoutFilter } from "../../app/inventory-search.ts";
import type { InventorySearch } from "../../app/inventory-search.ts";
import { usePageKeys } from "../../app/page-keys.ts";
import { trpc } from "../../app/trpc.ts";
import { useCardOrder } from "../../parts/card-order.ts";
import { usePageTitle } from "../../parts/page.tsx";
import { columnNames, columnsOf } from "./columns.tsx";
import type { Column } from "./columns.tsx";
import { useDensity } from "./density.ts";
import { EditProblems } from "./edit-problems.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { InventoryFoot } from "./inventory-foot.tsx";
import { InventoryList } from "./inventory-list.tsx";
import { inventoryKeys, useListKeys } from "./list-keys.ts";
import type { ListHandle } from "./list-keys.ts";
import { enterList, stopEditing } from "./list-state.ts";
import { SearchField } from "./search-field.tsx";
import { Toolbar } from "./toolbar.tsx";
import { ViewsMenu } from "./views-menu.tsx";

/** All cards of the account, as rows or as pictures: found, selected, edited and worked on in bulk. */
export function InventoryPage() {
  const search = useSearch({ from: "/inside/inventory" });
  const navigate = useNavigate({ from: "/inventory" });
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  const { currency } = current.account;
  const filter = useMemo(() => filterOf(search), [search]);
  const list = useCardOrder(filter, search.sort);
  const totals = useQuery(trpc.cards.totals.queryOptions({ filter }));
  const columns = useMemo(() => columnsOf(search.columns), [search.columns]);
  const [density, setDensity] = useDensity();
  const handle = useRef<ListHandle>(null);
  usePageTitle("Inventory");
  usePageKeys(inventoryKeys);

  const { order, refresh } = list;
  useEffect(() => enterList(filter, search.sort), [filter, search.sort]);
  // What is still typed in a cell is saved with the page, wherever its row is.
  useEffect(() => stopEditing, []);
  const isEmptyNoMore = list.isWhole && order.length === 0 && (totals.data?.count ?? 0) > 0;
  useEffect(() => {
    // Nothing stands there that could move under the hand.
    if (isEmptyNoMore) void refresh();
  }, [isEmptyNoMore, refresh]);

  const go = useCallback(
    (next: InventorySearch, replace = false) => void navigate({ search: next, replace }),
    [navigate],
  );
  const onSearch = useCallback(
    (text: string | undefined) =>
      void navigate({
        search: (before) => ({
          ...before,
          search: text,
          sort: text === undefined && before.sort === "relevance" ? undefined : before.sort,
        }),
        // One step back is before the search, and not before its last letter.
        replace: search.search !== undefined,
      }),
    [navigate, search.search],
  );
  const open = useCallback(
    (id: string) => void navigate({ to: `/inventory/${id}`, search: (before) => before }),
    [navigate],
  );
  useListKeys(order, handle, open);

  const openView = (view: InventoryView | null): void => {
    if (view === null) {
      go({ shown: search.shown });
      return;
    }
    const shownColumns =
      view.columns.length === 0 ? undefined : columnNames(columnsOf(view.columns));
    go({
      ...view.filter,
      sort: view.sort ?? undefined,
      columns: shownColumns,
      shown: search.shown,
      view: view.id,
    });
  };
  return (
    <div className="inventory">
      <div className="inventory-head">
        <Title order={1} className="inventory-title">
          Inventory
        </Title>
        <ViewsMenu
          viewId={search.view}
          content={{
            filter,
            sort: search.sort ?? null,
            columns: columns.map(({ id }) => id),
          }}
          onOpen={openView}
        />
        <SearchField value={search.search} onSearch={onSearch} />
        <Toolbar
          isGrid={search.shown === "grid"}
          density={density}
          columns={columns}
          onDensity={setDensity}
          onGrid={(isGrid) => go({ ...search, shown: isGrid ? "grid" : undefined })}
          onColumns={(shown: readonly Column[]) =>
            go({ ...search, columns: columnNames(shown) }, true)
          }
          news={newsOf(list, totals.data)}
          isRefreshing={list.isRefreshing && !list.isPending}
          onRefresh={() => void refresh()}
        />
      </div>
      <FilterBar
        filter={filter}
        currency={currency}
        onChange={(members) => go(inventorySearch({ ...search, ...members }))}
        onClear={() => go({ ...withoutFilter(search), sort: search.sort, search: search.search })}
      />
      <EditProblems />
      <InventoryList
        list={list}
        search={search}
        filter={filter}
        totals={totals.data}
        columns={columns}
        currency={currency}
        density={density}
        handle={handle}
        onOpen={open}
        onSort={(sort: InventorySort | undefined) => go({ ...search, sort })}
        onShowAll={() => go(withoutFilter(search))}
      />
      <InventoryFoot
        list={list}
        filter={filter}
        totals={totals.data}
        totalsRead={totals}
        currency={currency}
        onLeave={() => handle.current?.focus()}
      />
    </div>
  );
}

/** What asking anew would bring, as far as it is known; the list itself stays as it is until then. */
function newsOf(
  { order, isWhole, isCut }: Pick<ReturnType<typeof useCardOrder>, "order" | "isWhole" | "isCut">,
  totals: { count: number; has_more: boolean } | undefined,
): string | null {
  if (!isWhole || isCut || totals === undefined || totals.has_more || order.length === 0)
    return null;
  const more = totals.count - order.length;
  if (more === 0) return null;
  return more > 0
    ? `Show ${more.toLocaleString()} new`
    : `${(-more).toLocaleString()} gone: refresh`;
}
