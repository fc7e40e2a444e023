import type { WorkflowStatus } from "@cardvault/contract";
import { Modal, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { workflowWords } from "../../../parts/words.ts";
import { stagesByHand } from "../../../parts/stages.ts";
import type { TaskProps } from "./bulk-dialog.tsx";
import { TaskFoot } from "./task-foot.tsx";

/** To which stage the cards go; those whose facts do not allow it are left, and named. */
export function StageDialog(props: TaskProps) {
  const [stage, setStage] = useState<WorkflowStatus | null>(null);
  return (
    <Modal opened onClose={props.onClose} title={`Stage of ${props.what}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (stage !== null) props.onStart({ type: "set_status", workflow_status: stage });
        }}
      >
        <Stack gap="md">
          <Radio.Group
            label="Stage"
            description="A card goes only where its price, its photos and its listing allow it."
            value={stage ?? ""}
            onChange={(value) => setStage(stagesByHand.find((one) => one === value) ?? null)}
          >
            <Stack gap={8} mt={8}>
              {stagesByHand.map((status, index) => (
                <Radio
                  key={status}
                  size="xs"
                  value={status}
                  label={workflowWords[status]}
                  data-autofocus={index === 0}
                />
              ))}
            </Stack>
          </Radio.Group>
          <TaskFoot
            confirm="Change the stage"
            isReady={stage !== null}
            isPending={props.isPending}
            error={props.error}
            onClose={props.onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
