import type { Card } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { CardPicture } from "../../parts/card-picture.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { refreshSales } from "./refresh-sales.ts";

const filter = { review_reason: ["order_cancelled" as const, "oversold" as const] };

const pageSize = 200;

/**
 * Cards of which an order was cancelled, or more was sold than there was.
 * @param props.total how many there are, as the overview says
 */
export function CopiesInReview({ total }: { total: number }) {
  const cards = useInfiniteQuery({
    queryKey: [...trpc.cards.rows.pathKey(), "copies in review"],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.cards.ids.query(
        {
          filter,
          limit: pageSize,
          rows: pageSize,
          ...(pageParam === null ? {} : { after: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 10_000),
  });
  const rows = cards.data?.pages.flatMap((page) => page.rows) ?? [];
  const [busy, setBusy] = useState<string | null>(null);
  async function settle(card: Pick<Card, "id" | "version" | "title">): Promise<void> {
    setBusy(card.id);
    try {
      const { id, version } = card;
      const after = await trpcClient.sales.settleCopies.mutate({ card_id: id, version });
      notifications.show({
        message: `${card.title ?? "The card"} is settled: ${after.quantity} in stock.`,
      });
      await Promise.all([refreshSales(), cards.refetch()]);
    } catch (error) {
      tellProblem(error, { title: "It was not settled" });
      await cards.refetch();
    }
    setBusy(null);
  }
  return (
    <section className="panel settle" aria-labelledby="copies">
      <SectionHead id="copies" title="Copies to look after" />
      {cards.isPending ? <TableSkeleton rows={2} columns={[32, 320, 240, 120]} /> : null}
      {cards.isLoadingError ? (
        <ProblemPanel error={cards.error} what="The cards" onRetry={() => void cards.refetch()} />
      ) : null}
      <div className="table-scroll">
        <table className="rows sales-rows">
          <tbody>
            {rows.map((card) => (
              <tr key={card.id}>
                <td className="narrow">
                  <CardPicture card={card} size="row" />
                </td>
                <td className="fill">
                  <Link to="/inventory/$id" params={{ id: card.id }} className="sales-title">
                    {card.title ?? "Card that is not identified"}
                  </Link>
                  <span className="cell-sub mono">{card.sku}</span>
                </td>
                <td className="settle-words">
                  {card.review_reason === "oversold"
                    ? "More was sold than there was: cancel an order at eBay, or find a copy."
                    : "Its order was cancelled: put the copy back in its place."}
                </td>
                <td className="narrow">
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={busy === card.id}
                    onClick={() => void settle(card)}
                  >
                    {card.review_reason === "oversold" ? "Settled" : "It is back"}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cards.hasNextPage ? <LoadMore query={cards} shown={rows.length} total={total} /> : null}
    </section>
  );
}
