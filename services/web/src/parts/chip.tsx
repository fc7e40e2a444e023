import type { WorkflowStatus } from "@cardvault/contract";
import {
  IconArchive,
  IconBuildingStore,
  IconCamera,
  IconCircleCheck,
  IconCircleDashed,
  IconId,
  IconTag,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { workflowWords } from "./words.ts";

export type Tone = "good" | "warning" | "bad" | "busy" | "quiet";

/** A state in words, with a shape of its own besides the colour. */
export function Chip({
  tone,
  icon: Shape,
  children,
}: {
  tone: Tone;
  icon: Icon;
  children: string;
}) {
  return (
    <span className="chip" data-tone={tone}>
      <Shape size={16} stroke={1.75} aria-hidden />
      {children}
    </span>
  );
}

const workflowChips: Record<WorkflowStatus, { tone: Tone; icon: Icon }> = {
  imported: { tone: "quiet", icon: IconCircleDashed },
  identified: { tone: "busy", icon: IconId },
  priced: { tone: "busy", icon: IconTag },
  photographed: { tone: "busy", icon: IconCamera },
  listed: { tone: "good", icon: IconBuildingStore },
  sold: { tone: "good", icon: IconCircleCheck },
  archived: { tone: "quiet", icon: IconArchive },
};

export function WorkflowChip({ status }: { status: WorkflowStatus }) {
  return <Chip {...workflowChips[status]}>{workflowWords[status]}</Chip>;
}
