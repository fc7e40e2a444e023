import type { DeliverySummary } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { DeliveryState } from "../../parts/delivery-chip.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SelectAllHead, SelectCell } from "../../parts/selection-cells.tsx";
import { counted, lastAnswerWords } from "../../parts/words.ts";
import { ResendButton } from "../deliveries/resend-button.tsx";

export function DeliveryTable(props: {
  rows: readonly DeliverySummary[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  isBusy: boolean;
  onResend: (row: DeliverySummary) => void;
}) {
  const { rows, chosen, onChoose, isBusy, onResend } = props;
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <SelectAllHead ids={rows.map(({ id }) => id)} chosen={chosen} onChoose={onChoose} />
            <th scope="col">Event</th>
            <th scope="col">State</th>
            <th scope="col">Last answer</th>
            <th scope="col">Made</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <SelectCell
                id={row.id}
                label={`${row.event} ${row.event_id}`}
                chosen={chosen}
                onChoose={onChoose}
              />
              <td className="fill">
                <Link
                  from="/settings/webhooks/$id"
                  to="/settings/webhooks/$id"
                  resetScroll={false}
                  search={(before) => ({ ...before, delivery: row.id })}
                  className="mono clip"
                >
                  {row.event}
                </Link>
                <span className="cell-sub mono clip">
                  {row.event_id}
                  {row.generation === 1 ? "" : ` · resend ${row.generation - 1}`}
                </span>
              </td>
              <td className="narrow">
                <DeliveryState row={row} />
              </td>
              <td className="narrow">
                {lastAnswerWords(row.last_status_code, row.last_error)}
                <span className="cell-sub">{counted(row.attempt_count, "attempt")}</span>
              </td>
              <td className="narrow">
                <RelativeTime at={row.created_at} />
              </td>
              <td className="narrow">
                <ResendButton
                  words="Resend"
                  row={row}
                  isBusy={isBusy}
                  onResend={() => onResend(row)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
