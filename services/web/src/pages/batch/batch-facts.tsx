import type { Batch } from "@cardvault/contract";
import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { formatMoney } from "../../parts/money.ts";
import { missingFigure, NotRead } from "../../parts/not-read.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { conditionWords } from "../../parts/words.ts";
import { batchLooks, dayWords } from "../batches/batch-words.ts";

/** What a batch is, cost and is worth. */
export function BatchFacts({ batch, reopenError }: { batch: Batch; reopenError: unknown }) {
  const progress = useQuery(trpc.batches.progress.queryOptions({ id: batch.id }));
  const { words, ...look } = batchLooks[batch.status];
  return (
    <div className="panel fact-panel">
      <Facts>
        <Fact label="State">
          <Chip {...look}>{words}</Chip>
          {batch.completed_at === null ? null : (
            <span className="cell-sub">
              <RelativeTime at={batch.completed_at} />
            </span>
          )}
        </Fact>
        <Fact label="Cost of the batch">
          {batch.cost_basis === null ? (
            <span className="cell-sub">Not said</span>
          ) : (
            formatMoney(batch.cost_basis)
          )}
        </Fact>
        <Fact label="Cost of its unsold cards">
          {progress.data === undefined ? missingFigure(progress) : formatMoney(progress.data.cost)}
        </Fact>
        <Fact label="Asked for them">
          {progress.data === undefined
            ? missingFigure(progress)
            : formatMoney(progress.data.asking_value)}
        </Fact>
        {batch.acquired_at === null ? null : (
          <Fact label="Acquired">{dayWords(batch.acquired_at)}</Fact>
        )}
        <Fact label="Made">
          <RelativeTime at={batch.created_at} />
        </Fact>
      </Facts>
      {batch.description === null || batch.description === "" ? null : (
        <p
          className="wrap"
          style={{ margin: "12px 0 0", whiteSpace: "pre-line", maxWidth: "80ch" }}
        >
          {batch.description}
        </p>
      )}
      <NotRead reading={progress} what="The values" />
      <ProblemNote error={reopenError} />
    </div>
  );
}

/** What each new card of the batch starts with; nothing where that is nothing. */
export function BatchDefaultsPanel({ batch: { defaults } }: { batch: Batch }) {
  const { game, set, condition, language, location, price_floor: floor } = defaults;
  const rows = [
    ["Game", game],
    ["Set", set],
    ["Condition", condition === null ? null : (conditionWords[condition] ?? condition)],
    ["Language", language],
    ["Location", location],
    ["Price floor", floor === null ? null : formatMoney(floor)],
  ] as const;
  const given = rows.filter(([, value]) => value !== null);
  return (
    <section aria-labelledby="defaults">
      <Title order={2} id="defaults" mb="xs">
        New cards start with
      </Title>
      <div className="panel fact-panel">
        {given.length === 0 ? (
          <span className="cell-sub">
            Nothing yet. With “Edit” you say what every card of the batch has in common, and no card
            has to be told.
          </span>
        ) : (
          <Facts>
            {given.map(([label, value]) => (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ))}
          </Facts>
        )}
      </div>
    </section>
  );
}
