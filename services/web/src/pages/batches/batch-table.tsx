import type { Batch } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { Chip } from "../../parts/chip.tsx";
import { formatAmount } from "../../parts/money.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StageBar } from "../../parts/stage-bar.tsx";
import { CardsLink } from "../batch/cards-link.tsx";
import type { BatchCardsFilter } from "../batch/cards-link.tsx";
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
      <td className="narrow number">
        <CountLink batch={batch} count={batch.card_count} of="cards" />
      </td>
      <td className="narrow number">
        <CountLink
          batch={batch}
          count={counts.imported}
          of="to identify"
          filter={{ workflow_status: ["imported"] }}
        />
      </td>
      <td className="narrow number">
        <CountLink
          batch={batch}
          count={counts.identified}
          of="to price"
          filter={{ workflow_status: ["identified"] }}
        />
      </td>
      <td className="narrow number">
        {batch.cost_basis === null ? null : formatAmount(batch.cost_basis)}
      </td>
      <td className="narrow">
        <RelativeTime at={batch.created_at} />
      </td>
    </tr>
  );
}

/** A number that leads to the cards which it counts; none leads nowhere. */
function CountLink(props: { batch: Batch; count: number; of: string; filter?: BatchCardsFilter }) {
  const { batch, count, of, filter = {} } = props;
  if (count === 0) return <span className="cell-sub">0</span>;
  return (
    <CardsLink batchId={batch.id} filter={filter}>
      {count.toLocaleString()}
      <span className="visually-hidden">{` ${of} in ${batch.name}`}</span>
    </CardsLink>
  );
}
