import type { PullLine } from "@cardvault/contract";
import { Checkbox, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useHotKey } from "../../app/hot-keys.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { CardPicture } from "../../parts/card-picture.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { offerUndo } from "../../parts/undo.tsx";
import { counted } from "../../parts/words.ts";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { refreshSales } from "./refresh-sales.ts";

const pageSize = 200;
const everyMs = 10_000;

function useToPull() {
  return useInfiniteQuery({
    queryKey: [...trpc.sales.toPull.pathKey(), "pages"],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.sales.toPull.query(
        { limit: pageSize, ...(pageParam === null ? {} : { after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    // A line that was ticked meanwhile still says where the walk goes on.
    getNextPageParam: ({ data, has_more }) => (has_more ? data.at(-1)?.id : undefined),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : everyMs),
  });
}

/** Sold cards in the order of a walk along the places; a tick says that a card is in hand. */
export function PullPanel() {
  const lines = useToPull();
  const { ticked, mark } = useTicks();
  if (lines.isPending) {
    return (
      <div className="panel">
        <TableSkeleton rows={8} columns={[16, 32, 320, 120, 60, 100]} />
      </div>
    );
  }
  if (lines.data === undefined) {
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
  const waiting = lines.data.pages.flatMap(({ data }) => data);
  // What was ticked here stays where it stood, struck through, until the page is left.
  const shown = withTicked(waiting, ticked);
  if (shown.length === 0) return <NothingToPull />;
  const left = waiting.filter(({ id }) => !ticked.has(id)).length;
  return (
    <div className="panel">
      <div className="bulk-bar">
        <Text component="output">
          {lines.hasNextPage ? `The first ${counted(left, "line")}` : counted(left, "line")} to pull
        </Text>
      </div>
      <PullTable shown={shown} ticked={ticked} onMark={(line, pulled) => void mark(line, pulled)} />
      {lines.hasNextPage || lines.isError ? <LoadMore query={lines} shown={shown.length} /> : null}
    </div>
  );
}

/** The ticks of this visit, each shown at once and taken back alone where it was not kept. */
function useTicks() {
  const [ticked, setTicked] = useState<ReadonlyMap<string, PullLine>>(new Map());
  /** Of each line: a tick and its undo arrive in the order in which they were made. */
  const sent = useRef(new Map<string, Promise<unknown>>());
  const show = (line: PullLine, pulled: boolean): void =>
    setTicked((before) => {
      const after = new Map(before);
      if (pulled) after.set(line.id, line);
      else after.delete(line.id);
      return after;
    });
  function send({ id }: PullLine, pulled: boolean): Promise<unknown> {
    const before = sent.current.get(id) ?? Promise.resolve();
    const now = before
      .catch(() => undefined)
      .then(() => trpcClient.sales.markPulled.mutate({ ids: [id], pulled }));
    sent.current.set(id, now);
    return now;
  }
  async function mark(line: PullLine, pulled: boolean): Promise<void> {
    show(line, pulled);
    try {
      await send(line, pulled);
      if (pulled) {
        offerUndo({
          message: `${line.title} is pulled.`,
          undo: async () => {
            await send(line, false);
            show(line, false);
            await refreshSales();
            return `${line.title} is to be pulled again.`;
          },
        });
      }
    } catch (error) {
      show(line, !pulled);
      tellProblem(error, { title: "The tick was not kept" });
    }
    await queryClient.invalidateQueries({ queryKey: trpc.sales.pathKey() });
  }
  return { ticked, mark };
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
  useHotKey("j", () => go(Math.min(place + 1, shown.length - 1)));
  useHotKey("k", () => go(Math.max(place - 1, 0)));
  useHotKey("x", () => {
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
