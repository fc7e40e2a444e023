import type { Card } from "@cardvault/contract";
import { workflowStatuses } from "@cardvault/contract";
import { Button, Select, Switch } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { InventorySearch } from "../app/router.tsx";
import { trpc, trpcClient } from "../app/trpc.ts";
import { WorkflowChip } from "../parts/chip.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { LoadMore } from "../parts/load-more.tsx";
import { formatAmount } from "../parts/money.ts";
import { Page } from "../parts/page.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { TableSkeleton } from "../parts/table-skeleton.tsx";
import { conditionWords, workflowWords } from "../parts/words.ts";

const pageSize = 100;

/** The cards behind the dashboard's figures; the filters live in the address. */
export function InventoryPage() {
  const search = useSearch({ from: "/inside/inventory" });
  const navigate = useNavigate({ from: "/inventory" });
  const cards = useCards(search);
  const filter = (next: InventorySearch) => void navigate({ search: next, replace: true });
  const rows = cards.data?.pages.flatMap((page) => page.data) ?? [];
  const isFiltered = search.stage !== undefined || search.review !== undefined;
  return (
    <Page title="Inventory">
      <div className="panel">
        <div className="bulk-bar">
          <Select
            aria-label="Stage"
            placeholder="Every stage"
            clearable
            size="xs"
            w={168}
            data={workflowStatuses.map((value) => ({ value, label: workflowWords[value] }))}
            value={search.stage ?? null}
            onChange={(value) =>
              filter({ ...search, stage: workflowStatuses.find((status) => status === value) })
            }
          />
          <Switch
            size="xs"
            label="Needs review"
            checked={search.review === true}
            onChange={(event) =>
              filter({ ...search, review: event.currentTarget.checked ? true : undefined })
            }
          />
        </div>
        {cards.isPending ? (
          <TableSkeleton rows={12} columns={[220, 120, 60, 90, 80, 70, 70]} />
        ) : cards.isError && rows.length === 0 ? (
          <ProblemPanel error={cards.error} what="The cards" onRetry={() => void cards.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState
            title={isFiltered ? "No card matches" : "No cards yet"}
            action={
              isFiltered ? (
                <Button variant="default" onClick={() => filter({})}>
                  Show every card
                </Button>
              ) : undefined
            }
          >
            {isFiltered
              ? "No card stands at this stage with these filters."
              : "Cards appear here as soon as they are imported."}
          </EmptyState>
        ) : (
          <>
            <CardTable cards={rows} />
            <LoadMore query={cards} shown={rows.length} />
          </>
        )}
      </div>
    </Page>
  );
}

function useCards({ stage, review }: InventorySearch) {
  const filters = {
    ...(stage === undefined ? {} : { workflow_status: [stage] }),
    ...(review === undefined ? {} : { needs_review: true }),
  };
  return useInfiniteQuery({
    queryKey: [...trpc.cards.list.pathKey(), filters],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.cards.list.query(
        { ...filters, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

function CardTable({ cards }: { cards: readonly Card[] }) {
  // Every price of an account is in its one currency, which stands once, in the head.
  const currency = cards.find((card) => card.asking_price !== null)?.asking_price?.currency;
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Card</th>
            <th scope="col">Set</th>
            <th scope="col">Number</th>
            <th scope="col">Condition</th>
            <th scope="col">Stage</th>
            <th scope="col">Location</th>
            <th scope="col" className="number">
              Copies
            </th>
            <th scope="col" className="number">
              Asking price{currency === undefined ? "" : ` (${currency})`}
            </th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => (
            <CardRow key={card.id} card={card} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CardRow({ card }: { card: Card }) {
  return (
    <tr>
      <td className="fill">
        <span className="clip" title={card.title ?? undefined}>
          {card.title ?? <span className="cell-sub">Not identified</span>}
        </span>
        {card.sku === null ? null : <span className="cell-sub mono">{card.sku}</span>}
      </td>
      <td className="narrow">{card.set}</td>
      <td className="narrow">{card.number}</td>
      <td className="narrow">{conditionOf(card)}</td>
      <td className="narrow">
        <WorkflowChip status={card.workflow_status} />
      </td>
      <td className="narrow">{card.location}</td>
      <td className="narrow number">{card.quantity.toLocaleString()}</td>
      <td className="narrow number">
        {card.asking_price === null ? null : formatAmount(card.asking_price)}
      </td>
      <td className="narrow">
        <RelativeTime at={card.updated_at} />
      </td>
    </tr>
  );
}

function conditionOf({ condition, grading }: Card): string | null {
  if (grading !== null) return `${grading.grader} ${grading.grade}`;
  return condition === null ? null : (conditionWords[condition] ?? condition);
}
