import type { DroppedDelivery } from "@cardvault/contract";
import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconArchive } from "@tabler/icons-react";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SelectAllHead, SelectCell } from "../../parts/selection-cells.tsx";
import { counted, dropReasonWords, lastAnswerWords } from "../../parts/words.ts";
import { ResendButton } from "../deliveries/resend-button.tsx";

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
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <SelectAllHead
              ids={rows.map((row) => row.delivery_id)}
              chosen={chosen}
              onChoose={onChoose}
            />
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
              chosen={chosen}
              onChoose={onChoose}
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
    chosen: ReadonlySet<string>;
    onChoose: (chosen: ReadonlySet<string>) => void;
  },
) {
  const { row } = props;
  return (
    <tr>
      <SelectCell
        id={row.delivery_id}
        label={`${row.event} ${row.event_id}`}
        chosen={props.chosen}
        onChoose={props.onChoose}
      />
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
          <ResendButton
            words="Redeliver"
            row={row}
            isBusy={props.isBusy}
            onResend={() => props.onRedeliver(row)}
          />
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
