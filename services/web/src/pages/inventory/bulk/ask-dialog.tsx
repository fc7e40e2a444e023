import type { BulkAction } from "@cardvault/contract";
import { Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { TaskProps } from "./bulk-dialog.tsx";
import { TaskFoot } from "./task-foot.tsx";

/** A task that needs no more than a yes. */
export function AskDialog(
  props: TaskProps & { title: string; confirm: string; action: BulkAction; children: ReactNode },
) {
  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <Stack gap="md">
        <div>{props.children}</div>
        <TaskFoot
          confirm={props.confirm}
          isPending={props.isPending}
          error={props.error}
          onConfirm={() => props.onStart(props.action)}
          onClose={props.onClose}
        />
      </Stack>
    </Modal>
  );
}
