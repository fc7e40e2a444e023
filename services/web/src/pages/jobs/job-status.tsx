import type { JobStatus } from "@cardvault/contract";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconLoader,
  IconPlayerPause,
  IconPlayerStop,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { Chip } from "../../parts/chip.tsx";
import type { Tone } from "../../parts/chip.tsx";

export const jobStatusWords: Record<JobStatus, string> = {
  queued: "Queued",
  running: "Running",
  paused: "Paused",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

const looks: Record<JobStatus, { tone: Tone; icon: Icon }> = {
  queued: { tone: "quiet", icon: IconClock },
  running: { tone: "busy", icon: IconLoader },
  paused: { tone: "warning", icon: IconPlayerPause },
  done: { tone: "good", icon: IconCircleCheck },
  failed: { tone: "bad", icon: IconAlertTriangle },
  cancelled: { tone: "quiet", icon: IconPlayerStop },
};

export function JobStatusChip({ status }: { status: JobStatus }) {
  return <Chip {...looks[status]}>{jobStatusWords[status]}</Chip>;
}
