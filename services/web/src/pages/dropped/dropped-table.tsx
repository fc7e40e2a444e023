import type { DroppedDelivery } from "@cardvault/contract";
import { ActionIcon, Button, Checkbox, Group, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconArchive } from "@tabler/icons-react";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { counted, dropReasonWords, lastAnswerWords } from "../../parts/words.ts";

interface Handlers {
  isBusy: boolean;
  onRedeliver: (row: DroppedDelivery) => void;
  onDismiss: (row: DroppedDelivery) => void;
}

export function DroppedTable(
  props: Handlers & {
    rows: readonly DroppedDelivery[];
    chosen: ReadonlySet<string>;
    onChoose: (chosen: ReadonlySet<string>) => void;
  },
) {
  const { rows, chosen, onChoose, ...handlers } = props;
  const chosenHere = rows.filter((row) => chosen.has(row.delivery_id)).length;
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
                  onChoose(
                    new Set(event.currentTarget.checked ? rows.map((row) => row.delivery_id) : []),
                  )
                }
              />
            </th>
            <th scope="col">Event</th>
            <th scope="col">Endpoint</th>
            <th scope="col">Reason</th>
            <th scope="col">Last answer</th>
            <th scope="col">Dropped</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <DroppedRow
              key={row.delivery_id}
              row={row}
              isChosen={chosen.has(row.delivery_id)}
              onChoose={(isChosen) => choose(row.delivery_id, isChosen)}
              {...handlers}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DroppedRow(
  props: Handlers & {
    row: DroppedDelivery;
    isChosen: boolean;
    onChoose: (isChosen: boolean) => void;
  },
) {
  const { row } = props;
  return (
    <tr>
      <td className="narrow">
        <Checkbox
          aria-label={`Select ${row.event} ${row.event_id}`}
          checked={props.isChosen}
          onChange={(event) => props.onChoose(event.currentTarget.checked)}
        />
      </td>
      <td className="narrow">
        <Link
          to="/events"
          search={{ event: row.event_id, delivery: row.delivery_id }}
          className="mono"
        >
          {row.event}
        </Link>
        <span className="cell-sub mono">{row.event_id}</span>
      </td>
      <td className="fill">
        <Link
          to="/events/dropped"
          search={{ endpoint: row.endpoint_id }}
          className="clip mono"
          title={row.endpoint_url}
        >
          {row.endpoint_url}
        </Link>
      </td>
      <td className="narrow">{dropReasonWords[row.reason]}</td>
      <td className="narrow">
        {lastAnswerWords(row.last_status_code, row.last_error)}
        <span className="cell-sub">{counted(row.attempt_count, "attempt")}</span>
      </td>
      <td className="narrow">
        <RelativeTime at={row.dropped_at} />
      </td>
      <td className="narrow">
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <RedeliverButton {...props} />
          <Tooltip label="Dismiss…">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Dismiss ${row.event} ${row.event_id}`}
              onClick={() => props.onDismiss(row)}
            >
              <IconArchive size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </td>
    </tr>
  );
}

function RedeliverButton({ row, isBusy, onRedeliver }: Handlers & { row: DroppedDelivery }) {
  const button = (
    <Button
      size="compact-xs"
      variant="default"
      disabled={isBusy}
      {...(row.can_redeliver ? {} : { "data-disabled": true })}
      aria-disabled={!row.can_redeliver}
      onClick={() => {
        if (row.can_redeliver) onRedeliver(row);
      }}
    >
      Redeliver
    </Button>
  );
  if (row.can_redeliver) return button;
  return <Tooltip label="The endpoint is disabled or removed">{button}</Tooltip>;
}
