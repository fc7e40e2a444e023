import type { PullLine } from "@cardvault/contract";
import { Checkbox, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useHotkeys } from "react-hotkeys-hook";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { CardPicture } from "../../parts/card-picture.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { offerUndo } from "../../parts/undo.tsx";
import { counted } from "../../parts/words.ts";
import { refreshSales, tellProblem } from "./refresh-sales.ts";

const options = () => trpc.sales.toPull.queryOptions({}, { refetchInterval: 10_000 });

/** Sold cards in the order of a walk along the places; a tick says that a card is in hand. */
export function PullPanel() {
  const lines = useQuery(options());
  const [ticked, setTicked] = useState<ReadonlyMap<string, PullLine>>(new Map());
  if (lines.isPending) {
    return (
      <div className="panel">
        <TableSkeleton rows={8} columns={[16, 32, 320, 120, 60, 100]} />
      </div>
    );
  }
  if (lines.isError) {
    return (
      <div className="panel">
        <ProblemPanel
          error={lines.error}
          what="What there is to pull"
          onRetry={() => void lines.refetch()}
        />
      </div>
    );
  }
  // What was ticked here stays where it stood, struck through, until the page is left.
  const shown = withTicked(lines.data.data, ticked);
  async function mark(line: PullLine, pulled: boolean): Promise<void> {
    const kept = new Map(ticked);
    if (pulled) kept.set(line.id, line);
    else kept.delete(line.id);
    setTicked(kept);
    try {
      await trpcClient.sales.markPulled.mutate({ ids: [line.id], pulled });
      await queryClient.invalidateQueries({ queryKey: trpc.sales.pathKey() });
      if (pulled) {
        offerUndo({
          message: `${line.title} is pulled.`,
          undo: async () => {
            await trpcClient.sales.markPulled.mutate({ ids: [line.id], pulled: false });
            setTicked((now) => new Map([...now].filter(([id]) => id !== line.id)));
            await refreshSales();
            return `${line.title} is to be pulled again.`;
          },
        });
      }
    } catch (error) {
      setTicked(ticked);
      tellProblem("The tick was not kept", error);
    }
  }
  if (shown.length === 0) return <NothingToPull />;
  return (
    <div className="panel">
      <div className="bulk-bar">
        <Text component="output">
          {counted(lines.data.data.length, "line")} to pull
          {lines.data.has_more ? ", and more behind them" : ""}
        </Text>
      </div>
      <PullTable shown={shown} ticked={ticked} onMark={(line, pulled) => void mark(line, pulled)} />
    </div>
  );
}

function withTicked(lines: readonly PullLine[], ticked: ReadonlyMap<string, PullLine>): PullLine[] {
  const waiting = new Set(lines.map(({ id }) => id));
  const gone = [...ticked.values()].filter(({ id }) => !waiting.has(id));
  return [...lines, ...gone].toSorted((one, other) =>
    one.location === other.location
      ? one.title.localeCompare(other.title)
      : one.location === null
        ? 1
        : other.location === null
          ? -1
          : one.location.localeCompare(other.location, undefined, { numeric: true }),
  );
}

function PullTable(props: {
  shown: readonly PullLine[];
  ticked: ReadonlyMap<string, PullLine>;
  onMark: (line: PullLine, pulled: boolean) => void;
}) {
  const { shown, ticked, onMark } = props;
  const [at, setAt] = useState(0);
  const table = useRef<HTMLTableElement>(null);
  const place = Math.min(at, shown.length - 1);
  function go(to: number): void {
    setAt(to);
    table.current?.tBodies[0]?.rows[to]?.scrollIntoView({ block: "nearest" });
  }
  useHotkeys("j", () => go(Math.min(place + 1, shown.length - 1)));
  useHotkeys("k", () => go(Math.max(place - 1, 0)));
  useHotkeys("x", () => {
    const line = shown[place];
    if (line !== undefined) onMark(line, !ticked.has(line.id));
  });
  return (
    <div className="table-scroll">
      <table className="rows sales-rows" ref={table}>
        <thead>
          <tr>
            <th scope="col" className="narrow">
              Pulled
            </th>
            <th scope="col" className="narrow">
              <span className="visually-hidden">Picture</span>
            </th>
            <th scope="col">Card</th>
            <th scope="col">Place</th>
            <th scope="col" className="number">
              Copies
            </th>
            <th scope="col">Order</th>
            <th scope="col">Sold</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line, index) => (
            <tr
              key={line.id}
              data-at={index === place ? "" : undefined}
              data-pulled={ticked.has(line.id) ? "" : undefined}
            >
              <td className="narrow">
                <Checkbox
                  aria-label={`${line.title} is pulled`}
                  checked={ticked.has(line.id)}
                  onChange={(event) => onMark(line, event.currentTarget.checked)}
                />
              </td>
              <td className="narrow">
                <CardPicture card={line} size="row" />
              </td>
              <td className="fill">
                <Link to="/inventory/$id" params={{ id: line.card_id }} className="sales-title">
                  {line.title}
                </Link>
                <span className="cell-sub">
                  <span className="mono">{line.sku ?? "No SKU"}</span>
                  {line.set === null ? "" : ` · ${line.set}`}
                  {line.number === null ? "" : ` · ${line.number}`}
                </span>
              </td>
              <td className="narrow">
                <strong>{line.location ?? "No place"}</strong>
              </td>
              <td className="number">{line.quantity.toLocaleString()}</td>
              <td className="narrow">
                <span className="mono">{line.order_id}</span>
                {line.is_paid ? null : <span className="cell-sub">Not paid yet</span>}
              </td>
              <td className="narrow">
                <RelativeTime at={line.sold_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NothingToPull() {
  return (
    <div className="panel">
      <EmptyState
        title="Nothing to pull"
        action={
          <LinkButton to="/sales" search={{ tab: "ledger" }} variant="default">
            See the ledger
          </LinkButton>
        }
      >
        A card that sells on eBay stands here with its place, until it is ticked off.
      </EmptyState>
    </div>
  );
}
