import type { LedgerSale, SalesListing, SalesOverview } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ReactNode } from "react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { CardPicture } from "../../parts/card-picture.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { formatMoney } from "../../parts/money.ts";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { AssignDialog } from "./assign-dialog.tsx";
import { CopiesInReview } from "./copies-in-review.tsx";
import { differenceWords } from "./listing-table.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { refreshSales } from "./refresh-sales.ts";
import { unmatchedWords } from "./sales-words.ts";

const pageSize = 100;
const everyMs = 10_000;

/** A list of which more than a page was asked for is left in peace. */
const every = ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }) =>
  (state.data?.pages.length ?? 0) > 1 ? false : everyMs;

function useDiffering() {
  return useInfiniteQuery({
    queryKey: [...trpc.sales.listings.pathKey(), "differing"],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.sales.listings.query(
        { differs: true, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: every,
  });
}

function useUnmatched() {
  return useInfiniteQuery({
    queryKey: [...trpc.sales.list.pathKey(), "unmatched"],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.sales.list.query(
        {
          state: "unmatched",
          limit: pageSize,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: every,
  });
}

/** What nobody but the dealer can decide: what differs, what is whose, what comes back. */
export function SettlePanel({ overview }: { overview: SalesOverview | undefined }) {
  const differing = useDiffering();
  const unmatched = useUnmatched();
  const failed = [differing, unmatched].find(({ isLoadingError }) => isLoadingError);
  if (failed !== undefined) {
    return (
      <div className="panel">
        <ProblemPanel
          error={failed.error}
          what="What there is to settle"
          onRetry={() => void failed.refetch()}
        />
      </div>
    );
  }
  if (differing.data === undefined || unmatched.data === undefined) {
    return (
      <div className="panel">
        <TableSkeleton rows={4} columns={[32, 320, 200, 200]} />
      </div>
    );
  }
  const inReview = overview?.copies_in_review ?? 0;
  const differences = differing.data.pages.flatMap(({ data }) => data);
  const sales = unmatched.data.pages.flatMap(({ data }) => data);
  if (differences.length + sales.length + inReview === 0) {
    return (
      <div className="panel">
        <EmptyState title="Nothing to settle">
          eBay and the vault say the same. A price that was changed there, an order of a card that
          is not known here, and a cancelled order come to stand here.
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      {differences.length === 0 ? null : (
        <Differences
          rows={differences}
          more={<MoreOf query={differing} shown={differences.length} />}
        />
      )}
      {inReview === 0 ? null : <CopiesInReview total={inReview} />}
      {sales.length === 0 ? null : (
        <Unmatched sales={sales} more={<MoreOf query={unmatched} shown={sales.length} />} />
      )}
    </>
  );
}

/** The way on, where there is one. */
function MoreOf(props: Pick<Parameters<typeof LoadMore>[0], "query" | "shown">) {
  const { query } = props;
  return query.hasNextPage || query.error !== null ? <LoadMore {...props} /> : null;
}

/** Neither side wins by itself: buyers pay what eBay shows. */
function Differences({ rows, more }: { rows: readonly SalesListing[]; more: ReactNode }) {
  const [busy, setBusy] = useState<string | null>(null);
  async function settle(id: string, keep: "ours" | "theirs"): Promise<void> {
    setBusy(id);
    try {
      await trpcClient.sales.settleDifference.mutate({ listing_id: id, keep });
      const message =
        keep === "ours" ? "Ours is being sent to eBay." : "The listing has what eBay shows.";
      notifications.show({ message });
      await refreshSales();
    } catch (error) {
      tellProblem(error, { title: "It was not settled" });
    }
    setBusy(null);
  }
  return (
    <section className="panel settle" aria-labelledby="differences">
      <SectionHead id="differences" title="eBay shows something else" />
      <div className="table-scroll">
        <table className="rows sales-rows">
          <tbody>
            {rows.map(({ listing, card, difference }) => (
              <tr key={listing.id}>
                <td className="narrow">
                  <CardPicture card={card} size="row" />
                </td>
                <td className="fill">
                  <Link to="/inventory/$id" params={{ id: card.id }} className="sales-title">
                    {listing.title}
                  </Link>
                  <span className="cell-sub">
                    Here: {formatMoney(listing.price)},{" "}
                    {(listing.quantity - listing.quantity_sold).toLocaleString()} left
                  </span>
                </td>
                <td className="settle-words">
                  {difference === null ? null : (
                    <>
                      {differenceWords(difference)}
                      <span className="cell-sub">
                        since <RelativeTime at={difference.seen_at} />
                      </span>
                    </>
                  )}
                </td>
                <td className="narrow settle-actions">
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={busy === listing.id}
                    onClick={() => void settle(listing.id, "ours")}
                  >
                    Send ours
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={busy === listing.id || difference?.quantity === 0}
                    onClick={() => void settle(listing.id, "theirs")}
                  >
                    Take eBay’s
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </section>
  );
}

/** Sales of cards that we cannot name: kept, and given to their cards by hand. */
function Unmatched({ sales, more }: { sales: readonly LedgerSale[]; more: ReactNode }) {
  const [assigning, setAssigning] = useState<LedgerSale | null>(null);
  return (
    <section className="panel settle" aria-labelledby="unmatched">
      <SectionHead id="unmatched" title="Orders of cards that are not known here" />
      <div className="table-scroll">
        <table className="rows sales-rows">
          <tbody>
            {sales.map((sale) => (
              <tr key={sale.id}>
                <td className="fill">
                  <span className="sales-title">{sale.title}</span>
                  <span className="cell-sub">
                    Order <span className="mono">{sale.order_id}</span>
                    {sale.sku === null ? "" : ` · SKU ${sale.sku}`}
                  </span>
                </td>
                <td className="settle-words">
                  {sale.unmatched === null ? "" : unmatchedWords[sale.unmatched]}
                </td>
                <td className="number">{formatMoney(sale.price)}</td>
                <td className="narrow">
                  <RelativeTime at={sale.sold_at} />
                </td>
                <td className="narrow">
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={
                      sale.unmatched === "other_currency" ||
                      sale.cancelled_quantity === sale.quantity
                    }
                    onClick={() => setAssigning(sale)}
                  >
                    Which card?
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
      <AssignDialog sale={assigning} onClose={() => setAssigning(null)} />
    </section>
  );
}
