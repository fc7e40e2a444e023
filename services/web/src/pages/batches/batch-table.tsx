import type { Batch } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { Chip } from "../../parts/chip.tsx";
import { formatAmount } from "../../parts/money.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StageBar } from "../../parts/stage-bar.tsx";
import { batchLooks } from "./batch-words.ts";

/** The batches with how far their cards are. */
export function BatchTable({ batches }: { batches: readonly Batch[] }) {
  // Every amount of an account is in its one currency, which stands once, in the head.
  const currency = batches.find((batch) => batch.cost_basis !== null)?.cost_basis?.currency;
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Batch</th>
            <th scope="col">State</th>
            <th scope="col">Stages</th>
            <th scope="col" className="number">
              Cards
            </th>
            <th scope="col" className="number">
              To identify
            </th>
            <th scope="col" className="number">
              To price
            </th>
            <th scope="col" className="number">
              Cost{currency === undefined ? "" : ` (${currency})`}
            </th>
            <th scope="col">Made</th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <BatchRow key={batch.id} batch={batch} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BatchRow({ batch }: { batch: Batch }) {
  const { words, ...look } = batchLooks[batch.status];
  const { counts } = batch;
  return (
    <tr>
      <td className="fill">
        <Link to="/inventory/batches/$id" params={{ id: batch.id }} className="clip">
          {batch.name}
        </Link>
        <span className="cell-sub">
          <span className="mono">{batch.code}</span>
          {batch.source === null ? "" : ` · ${batch.source}`}
        </span>
      </td>
      <td className="narrow">
        <Chip {...look}>{words}</Chip>
      </td>
      <td className="narrow">
        <StageBar batch={batch} />
      </td>
      <td className="narrow number">{batch.card_count.toLocaleString()}</td>
      <td className="narrow number">{counts.imported.toLocaleString()}</td>
      <td className="narrow number">{counts.identified.toLocaleString()}</td>
      <td className="narrow number">
        {batch.cost_basis === null ? null : formatAmount(batch.cost_basis)}
      </td>
      <td className="narrow">
        <RelativeTime at={batch.created_at} />
      </td>
    </tr>
  );
}
