import type { ReviewStats } from "@cardvault/contract";
import { Button, Group, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { trpc } from "../../app/trpc.ts";
import { reviewReasonWords } from "../../parts/candidates-words.ts";
import { LinkButton } from "../../parts/link-button.tsx";
import { counted } from "../../parts/words.ts";
import type { ReviewQueue } from "./queue.ts";
import { PriceNext } from "./price-next.tsx";
import type { QueueChoice, QueueState } from "./queue-state.ts";

const mostShown = 50;
const aboutCopies = ["order_cancelled", "oversold"] as const;

/** Nothing is left: what was done, and what comes next, which is pricing. */
export function Done(props: {
  state: QueueState;
  stats: ReviewStats | undefined;
  choice: QueueChoice;
  queue: ReviewQueue;
}) {
  const { state, stats, choice, queue } = props;
  const isFiltered = choice.reason !== undefined || choice.batch_id !== undefined;
  const done = state.accepted + state.corrected;
  const skipped = state.skipped.size;
  const elsewhere = stats?.held_by_others ?? 0;
  return (
    <div className="panel review-done">
      <div className="state-panel">
        <Title order={2}>{titleOf(done, skipped, isFiltered)}</Title>
        {done === 0 ? (
          <p>
            Cards come here when an identification is not sure enough, more than one card fits, or
            the card is worth more than your limit. Confident ones never do.
          </p>
        ) : (
          <p>
            {counted(done, "card")} on this visit: {state.accepted.toLocaleString()} accepted,{" "}
            {state.corrected.toLocaleString()} corrected by hand
            {stats === undefined
              ? "."
              : `; ${stats.decided_last_24_hours.toLocaleString()} in the last day.`}
          </p>
        )}
        {elsewhere === 0 ? null : (
          <p>{counted(elsewhere, "card is", "cards are")} with somebody else at this moment.</p>
        )}
        <Group gap="xs">
          <PriceNext reviewed={state.reviewed} batchId={choice.batch_id} />
          {skipped === 0 ? null : (
            <Button variant="default" onClick={queue.bringBackSkipped}>
              Go through the {counted(skipped, "skipped card")}
            </Button>
          )}
          {isFiltered ? (
            <LinkButton to="/review" search={{}} variant="default">
              Review the others
            </LinkButton>
          ) : null}
          {done === 0 ? null : (
            <Button variant="default" loading={state.isUndoing} onClick={queue.undo}>
              Undo the last decision
            </Button>
          )}
        </Group>
      </div>
      <AboutCopies />
    </div>
  );
}

function titleOf(done: number, skipped: number, isFiltered: boolean): string {
  if (skipped > 0) return "Only skipped cards are left";
  if (isFiltered) return "Nothing is left with these filters";
  return done > 0 ? "All is reviewed" : "Nothing needs review";
}

/** Cards whose question is about copies: it is settled at the card, not by a candidate. */
function AboutCopies() {
  const ids = useQuery(
    trpc.cards.ids.queryOptions({ filter: { review_reason: [...aboutCopies] }, limit: mostShown }),
  );
  const packed = ids.data;
  const rows = useQuery(
    trpc.cards.rows.queryOptions(
      { ids: packed?.ids ?? "" },
      { enabled: packed !== undefined && packed.count > 0 },
    ),
  );
  if (rows.data === undefined || rows.data.data.length === 0) return null;
  return (
    <section aria-labelledby="about-copies">
      <div className="state-panel" style={{ paddingBottom: 8, paddingTop: 0 }}>
        <Title order={2} id="about-copies">
          {counted(rows.data.data.length, "question")} about copies
        </Title>
      </div>
      <ul className="copies-list">
        {rows.data.data.map((row) => (
          <li key={row.id}>
            <Link to="/inventory/$id" params={{ id: row.id }}>
              {row.title ?? row.sku ?? "Card"}
            </Link>
            <span className="cell-sub">
              {row.review_reason === null ? null : reviewReasonWords[row.review_reason].title}
              {row.location === null ? null : ` · ${row.location}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
