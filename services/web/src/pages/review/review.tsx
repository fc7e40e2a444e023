import "./review.css";
import { Button, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { IconAlertTriangle } from "@tabler/icons-react";
import { usePageKeys } from "../../app/page-keys.ts";
import { problemOf } from "../../app/problem.ts";
import { trpc } from "../../app/trpc.ts";
import { pictureAddress } from "../../parts/card-picture.tsx";
import type { CardTexts } from "../../parts/card-fields.tsx";
import { usePageTitle } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import { Done } from "./done.tsx";
import { createReviewQueue } from "./queue.ts";
import type { ReviewQueue } from "./queue.ts";
import type { QueueChoice, QueueState } from "./queue-state.ts";
import { ReviewBar } from "./review-bar.tsx";
import { ReviewCard } from "./review-card.tsx";
import { reviewKeys, useReviewKeys } from "./review-keys.ts";
import { ReviewSkeleton } from "./review-skeleton.tsx";

const statsEveryMs = 15_000;

/** The cards that a person decides about, one a screen, the next one already there. */
export function ReviewPage() {
  const { order = "confidence", reason, batch } = useSearch({ from: "/inside/review" });
  const choice: QueueChoice = {
    order,
    ...(reason === undefined ? {} : { reason }),
    ...(batch === undefined ? {} : { batch_id: batch }),
  };
  // Another choice is another queue: its cards are let go, and those of the new one are held.
  return <Queue key={JSON.stringify(choice)} choice={choice} />;
}

function Queue({ choice }: { choice: QueueChoice }) {
  const [queue] = useState(() => createReviewQueue(choice));
  const state = useSyncExternalStore(queue.subscribe, queue.state);
  useEffect(() => queue.open(), [queue]);
  usePageKeys(reviewKeys);
  useLoadedAhead(state);
  useUnsentWarning(state);
  const { order: _, ...asked } = choice;
  const stats = useQuery(trpc.review.stats.queryOptions(asked, { refetchInterval: statsEveryMs }));
  const drafts = useMemo(() => new Map<string, CardTexts>(), []);
  const [previous, setPrevious] = useState<CardTexts | null>(null);
  const waiting = Math.max(0, (stats.data?.waiting ?? 0) - state.outbox.length);
  usePageTitle(stats.data === undefined ? "Review" : `Review (${waiting.toLocaleString()})`);
  const [item] = state.items;
  return (
    <div className="page review-page">
      <Title order={1} className="visually-hidden">
        Review
      </Title>
      <ReviewBar
        choice={choice}
        state={state}
        stats={stats.data}
        error={stats.error}
        onRetry={() => void stats.refetch()}
        waiting={waiting}
      />
      <WhatHappened state={state} queue={queue} />
      {item === undefined ? <UndoKey queue={queue} /> : null}
      {item !== undefined ? (
        <ReviewCard
          key={`${item.card.id} ${item.card.version}`}
          item={item}
          queue={queue}
          state={state}
          drafts={drafts}
          previous={previous}
          onCorrected={setPrevious}
        />
      ) : state.phase === "failed" ? (
        <div className="panel">
          <ProblemPanel error={state.error} what="The queue" onRetry={queue.retry} />
        </div>
      ) : state.phase === "done" ? (
        <Done state={state} stats={stats.data} choice={choice} queue={queue} />
      ) : (
        <ReviewSkeleton />
      )}
    </div>
  );
}

/** Where no card is shown, at the end or before the next has come, the last decision is taken back all the same. */
function UndoKey({ queue }: { queue: ReviewQueue }) {
  useReviewKeys({ undo: queue.undo });
  return null;
}

/** What has just been decided; and what could not be sent, with a way to try at once. */
function WhatHappened({ state, queue }: { state: QueueState; queue: ReviewQueue }) {
  const { held, outbox, said } = state;
  if (held !== null && outbox.length > 0) {
    const { message, code, requestId } = problemOf(held);
    return (
      <div className="review-said" data-tone="warning" role="alert">
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        <span className="wrap">
          {counted(outbox.length, "decision")} {outbox.length === 1 ? "waits" : "wait"} here and{" "}
          {outbox.length === 1 ? "is" : "are"} sent again by itself. {message}{" "}
          <span className="mono">
            {code}
            {requestId === null ? null : ` · ${requestId}`}
          </span>
        </span>
        <Button size="compact-xs" variant="default" onClick={queue.retry}>
          Retry now
        </Button>
      </div>
    );
  }
  return (
    <output className="review-said" data-tone={said?.tone}>
      {said?.tone === "warning" ? <IconAlertTriangle size={16} stroke={1.75} aria-hidden /> : null}
      {said?.text}
    </output>
  );
}

/** Pictures of the cards behind the one that is shown are there before they are. */
function useLoadedAhead({ items }: QueueState): void {
  useEffect(() => {
    for (const { card } of items.slice(1)) {
      for (const { url } of card.photos.slice(0, 2)) {
        new Image().src = pictureAddress(url, "full");
      }
    }
  }, [items]);
}

function useUnsentWarning({ outbox }: QueueState): void {
  const isUnsent = outbox.length > 0;
  useEffect(() => {
    if (!isUnsent) return undefined;
    const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [isUnsent]);
}
