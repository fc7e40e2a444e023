import type { Batch, WorkflowStatus } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StageBar } from "../../parts/stage-bar.tsx";
import { counted } from "../../parts/words.ts";
import { SectionHead } from "../../parts/section.tsx";
import { CardsLink } from "../batch/cards-link.tsx";

const stepsLeft = [
  { words: "to identify", statuses: ["imported"] },
  { words: "to price", statuses: ["identified"] },
  { words: "to publish", statuses: ["priced", "photographed"] },
] as const satisfies readonly { words: string; statuses: readonly WorkflowStatus[] }[];

/** What is left to do on a batch, each a link to the cards that wait for it. */
function Left({ batch: { id, counts, card_count: count } }: { batch: Batch }) {
  if (count === 0) return "No card yet";
  const left = stepsLeft
    .map(({ words, statuses }) => ({
      words,
      statuses: [...statuses],
      cards: statuses.reduce((sum, status) => sum + counts[status], 0),
    }))
    .filter(({ cards }) => cards > 0);
  if (left.length === 0) return "Nothing left to do";
  return left.map(({ words, statuses, cards }, index) => (
    <Fragment key={words}>
      {index === 0 ? "" : ", "}
      <CardsLink batchId={id} filter={{ workflow_status: statuses }}>
        {`${cards.toLocaleString()} ${words}`}
      </CardsLink>
    </Fragment>
  ));
}

/** The newest batches that are not complete, with how far their cards are. */
export function BatchesInProgress({ batches, open }: { batches: readonly Batch[]; open: number }) {
  return (
    <section aria-labelledby="batches">
      <SectionHead id="batches" title="Batches in progress">
        <Link to="/inventory/batches">{counted(open, "open batch", "open batches")}</Link>
      </SectionHead>
      <div className="panel table-scroll">
        {batches.length === 0 ? (
          <p className="cell-sub batches-none">Every batch is complete.</p>
        ) : (
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Batch</th>
                <th scope="col" className="number">
                  Cards
                </th>
                <th scope="col">Stages</th>
                <th scope="col">Left</th>
                <th scope="col">Made</th>
              </tr>
            </thead>
            <tbody>
              {batches.map((batch) => (
                <tr key={batch.id}>
                  <td className="fill">
                    <Link to="/inventory/batches/$id" params={{ id: batch.id }} className="clip">
                      {batch.name}
                    </Link>
                    <span className="cell-sub">
                      {batch.code}
                      {batch.status === "processing" ? ", a job works on it" : ""}
                    </span>
                  </td>
                  <td className="narrow number">
                    {batch.card_count === 0 ? (
                      0
                    ) : (
                      <CardsLink batchId={batch.id}>
                        {batch.card_count.toLocaleString()}
                        <span className="visually-hidden">{` cards in ${batch.name}`}</span>
                      </CardsLink>
                    )}
                  </td>
                  <td className="narrow">
                    <StageBar batch={batch} />
                  </td>
                  <td className="narrow">
                    <Left batch={batch} />
                  </td>
                  <td className="narrow">
                    <RelativeTime at={batch.created_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}
