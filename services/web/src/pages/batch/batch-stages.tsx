import type { Batch, UnfinishedKind } from "@cardvault/contract";
import { workflowStatuses } from "@cardvault/contract";
import { Group, Skeleton, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { WorkflowChip } from "../../parts/chip.tsx";
import { NotRead } from "../../parts/not-read.tsx";
import { counted } from "../../parts/words.ts";
import { unfinishedWords } from "../batches/batch-words.ts";
import { CardsLink } from "./cards-link.tsx";
import type { BatchCardsFilter } from "./cards-link.tsx";

/** How far the cards are, each figure a link to them; and what they still lack. */
export function BatchStages({ batch }: { batch: Batch }) {
  const { counts, card_count: total } = batch;
  return (
    <section aria-labelledby="stages">
      <Group justify="space-between" align="baseline" mb="xs">
        <Title order={2} id="stages">
          How far its cards are
        </Title>
        <CardsLink batchId={batch.id}>{counted(total, "card")}</CardsLink>
      </Group>
      <div className="panel">
        <div className="stages">
          {workflowStatuses.map((status) => (
            <CardsLink
              key={status}
              batchId={batch.id}
              filter={{ workflow_status: [status] }}
              className="stage"
            >
              <WorkflowChip status={status} />
              <span className="figure-value">{counts[status].toLocaleString()}</span>
              <span className="stage-share" aria-hidden>
                <span style={{ width: `${total === 0 ? 0 : (counts[status] / total) * 100}%` }} />
              </span>
            </CardsLink>
          ))}
        </div>
        <Left batch={batch} />
      </div>
    </section>
  );
}

/** Where the cards are that lack something; what costs them is no filter of the inventory. */
const filterOf: Partial<Record<UnfinishedKind, BatchCardsFilter>> = {
  not_identified: { workflow_status: ["imported"] },
  needs_review: { needs_review: true },
  without_price: { has_price: false },
  without_photo: { has_photo: false },
  without_location: { has_location: false },
};

function Left({ batch }: { batch: Batch }) {
  const progress = useQuery(trpc.batches.progress.queryOptions({ id: batch.id }));
  if (progress.isPending) {
    return (
      <div className="batch-left" aria-busy="true">
        <Skeleton height={14} width={320} />
      </div>
    );
  }
  if (progress.data === undefined) {
    return (
      <div className="batch-left">
        <NotRead reading={progress} what="What is left to do" />
      </div>
    );
  }
  const { left, card_count: count } = progress.data;
  return (
    <div className="batch-left">
      <span className="cell-sub">Left to do</span>
      {count === 0 ? (
        <span>There is no card yet.</span>
      ) : left.length === 0 ? (
        <span>Nothing: every card is identified, priced, photographed and has its place.</span>
      ) : (
        <span className="chips">
          {left.map(({ kind, cards }) => {
            const words = `${cards.toLocaleString()} ${unfinishedWords[kind]}`;
            const filter = filterOf[kind];
            return filter === undefined ? (
              <span key={kind}>{words}</span>
            ) : (
              <CardsLink key={kind} batchId={batch.id} filter={filter}>
                {words}
              </CardsLink>
            );
          })}
        </span>
      )}
    </div>
  );
}
