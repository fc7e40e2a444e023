import type { CardChange, CardHistory } from "@cardvault/contract";
import { Button, Skeleton } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { UseInfiniteQueryResult, InfiniteData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "../../app/problem.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { LoadMore } from "../../parts/load-more.tsx";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { counted } from "../../parts/words.ts";
import { changeBy } from "./origin.ts";
import { keepCard } from "./save-card.ts";
import { changeLabel, changeText, toldChanges } from "./timeline-words.ts";

const pageSize = 50;
/** Taken back in ways of their own: where the sale, the photo, the listing stands. */
const ownWays = new Set(["sale", "listing", "photos"]);

type History = UseInfiniteQueryResult<InfiniteData<CardHistory>>;

/** All that happened to a card, the latest first. */
export function useHistory(id: string): History {
  return useInfiniteQuery({
    queryKey: [...trpc.cards.history.pathKey(), id],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.cards.history.query(
        { id, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function changesOf(history: History): CardChange[] {
  return history.data?.pages.flatMap(({ data }) => data) ?? [];
}

/** What happened to the card, by whom, what it fired; one change of it is undone here. */
export function Timeline({ id, history }: { id: string; history: History }) {
  const changes = changesOf(history);
  return (
    <section aria-labelledby="timeline">
      <SectionHead id="timeline" title="Timeline" />
      <div className="panel">
        {history.isPending ? (
          <div className="fact-panel" aria-busy="true">
            <Skeleton height={16} mb={12} />
            <Skeleton height={16} mb={12} width="70%" />
            <Skeleton height={16} width="80%" />
          </div>
        ) : history.data === undefined ? (
          <ProblemPanel
            error={history.error}
            what="The timeline"
            onRetry={() => void history.refetch()}
          />
        ) : (
          <>
            <ol className="card-timeline">
              {changes.map((change) => (
                <Entry key={change.at} id={id} change={change} />
              ))}
            </ol>
            {changes.length > pageSize - 1 ? (
              <LoadMore query={history} shown={changes.length} />
            ) : null}
          </>
        )}
      </div>
    </section>
  );
}

function Entry({ id, change }: { id: string; change: CardChange }) {
  const undo = useMutation(
    trpc.cards.undoChange.mutationOptions({ onSuccess: ({ card }) => keepCard(card) }),
  );
  const told = toldChanges(change.changes);
  const canUndo =
    change.kind === "changed" &&
    change.via !== "marketplace" &&
    change.changes.length > 0 &&
    change.changes.every(({ field }) => !ownWays.has(field));
  const details = problemOf(undo.error).details;
  return (
    <li>
      <div className="entry-what">
        {change.kind === "created" ? <strong>The card was made</strong> : null}
        {told.map((one) => (
          <span key={one.field} className="wrap">
            <strong>{changeLabel(one.field)}</strong> <FromTo {...one} />
          </span>
        ))}
        <span className="cell-sub">
          {changeBy(change)}, <RelativeTime at={change.at} /> · version {change.version}
          {change.events.map((event) => (
            <span key={event.id}>
              {" · "}
              <Link to="/events" search={{ event: event.id }} className="mono entry-event">
                {event.event ?? event.id}
              </Link>
            </span>
          ))}
        </span>
        {undo.error === null ? null : (
          <>
            <ProblemNote error={undo.error} />
            {details.map(({ path, message }) => (
              <span key={path} className="cell-sub wrap">
                {changeLabel(path)}: {message}
              </span>
            ))}
          </>
        )}
        {undo.data === undefined || undo.data.events_sent.length === 0 ? null : (
          <output className="cell-sub">
            Undone. {counted(undo.data.events_sent.length, "event")} already sent stay sent.
          </output>
        )}
      </div>
      {canUndo ? (
        <Button
          size="compact-xs"
          variant="default"
          loading={undo.isPending}
          onClick={() => undo.mutate({ id, at: change.at })}
        >
          Undo
        </Button>
      ) : null}
    </li>
  );
}

function FromTo({ field, from, to }: CardChange["changes"][number]) {
  const [before, after] = [changeText(field, from), changeText(field, to)];
  if (before === null) return <>{after ?? "set"}</>;
  return after === null ? (
    <>
      <del>{before}</del> cleared
    </>
  ) : (
    <>
      <del>{before}</del> → {after}
    </>
  );
}
