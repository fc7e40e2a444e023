import type { DeliveryStatus, DropReason } from "@cardvault/contract";
import {
  IconAlertTriangle,
  IconArrowForwardUp,
  IconCircleCheck,
  IconClockPause,
  IconSend,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { Chip } from "./chip.tsx";
import type { Tone } from "./chip.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { deliveryStatusWords, dropReasonWords } from "./words.ts";

const deliveryChips: Record<DeliveryStatus, { tone: Tone; icon: Icon }> = {
  pending: { tone: "busy", icon: IconSend },
  retrying: { tone: "warning", icon: IconClockPause },
  delivered: { tone: "good", icon: IconCircleCheck },
  dropped: { tone: "bad", icon: IconAlertTriangle },
  cancelled: { tone: "quiet", icon: IconArrowForwardUp },
};

export function DeliveryChip({ status }: { status: DeliveryStatus }) {
  return <Chip {...deliveryChips[status]}>{deliveryStatusWords[status]}</Chip>;
}

/** How a delivery stands: its state, and what comes of it and when, as the server says. */
export function DeliveryState({
  row,
}: {
  row: {
    status: DeliveryStatus;
    drop_reason: DropReason | null;
    next_attempt_at: string | null;
    drops_at?: string | null;
    dismissed_at?: string | null;
  };
}) {
  return (
    <>
      <DeliveryChip status={row.status} />
      {row.drop_reason === null ? null : (
        <span className="cell-sub">
          {dropReasonWords[row.drop_reason]}
          {row.dismissed_at === null || row.dismissed_at === undefined ? "" : ", dismissed"}
        </span>
      )}
      {row.status !== "retrying" || row.next_attempt_at === null ? null : (
        <span className="cell-sub">
          Tried again <RelativeTime at={row.next_attempt_at} />
        </span>
      )}
      {row.status !== "retrying" || row.drops_at === null || row.drops_at === undefined ? null : (
        <span className="cell-sub">
          Dropped <RelativeTime at={row.drops_at} /> if all fail
        </span>
      )}
    </>
  );
}
