import type { Batch } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StageBar } from "../../parts/stage-bar.tsx";
import { counted } from "../../parts/words.ts";
import { SectionHead } from "../../parts/section.tsx";

/** What is left to do on a batch, as one reads it. */
function leftWords({ counts, card_count: count }: Batch): string {
  if (count === 0) return "No card yet";
  const left = [
    counts.imported > 0 ? `${counts.imported.toLocaleString()} to identify` : null,
    counts.identified > 0 ? `${counts.identified.toLocaleString()} to price` : null,
    counts.priced + counts.photographed > 0
      ? `${(counts.priced + counts.photographed).toLocaleString()} to publish`
      : null,
  ].filter((words) => words !== null);
  return left.length === 0 ? "Nothing left to do" : left.join(", ");
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
                  <td className="narrow number">{batch.card_count.toLocaleString()}</td>
                  <td className="narrow">
                    <StageBar batch={batch} />
                  </td>
                  <td className="narrow">{leftWords(batch)}</td>
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
