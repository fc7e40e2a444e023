import type { DeliverySummary } from "@cardvault/contract";
import { Button, Checkbox, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { DeliveryState } from "../../parts/delivery-chip.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { counted, lastAnswerWords } from "../../parts/words.ts";

interface Handlers {
  isBusy: boolean;
  onResend: (row: DeliverySummary) => void;
}

export function DeliveryTable(
  props: Handlers & {
    rows: readonly DeliverySummary[];
    chosen: ReadonlySet<string>;
    onChoose: (chosen: ReadonlySet<string>) => void;
  },
) {
  const { rows, chosen, onChoose, ...handlers } = props;
  const chosenHere = rows.filter((row) => chosen.has(row.id)).length;
  function choose(id: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    onChoose(next);
  }
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col" className="narrow">
              <Checkbox
                aria-label="Select all that are shown"
                checked={chosenHere === rows.length}
                indeterminate={chosenHere > 0 && chosenHere < rows.length}
                onChange={(event) =>
                  onChoose(new Set(event.currentTarget.checked ? rows.map(({ id }) => id) : []))
                }
              />
            </th>
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
              <td className="narrow">
                <Checkbox
                  aria-label={`Select ${row.event} ${row.event_id}`}
                  checked={chosen.has(row.id)}
                  onChange={(event) => choose(row.id, event.currentTarget.checked)}
                />
              </td>
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
                <ResendButton row={row} {...handlers} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ResendButton({ row, isBusy, onResend }: Handlers & { row: DeliverySummary }) {
  const button = (
    <Button
      size="compact-xs"
      variant="default"
      disabled={isBusy}
      {...(row.can_redeliver ? {} : { "data-disabled": true })}
      aria-disabled={!row.can_redeliver}
      aria-label={`Resend ${row.event} ${row.event_id}`}
      onClick={() => {
        if (row.can_redeliver) onResend(row);
      }}
    >
      Resend
    </Button>
  );
  if (row.can_redeliver) return button;
  return <Tooltip label="The endpoint is disabled or removed">{button}</Tooltip>;
}
