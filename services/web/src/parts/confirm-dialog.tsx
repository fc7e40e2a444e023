import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ProblemNote } from "./problem-panel.tsx";

/** Asks before what cannot be undone, and stays open with the reason where it fails. */
export function ConfirmDialog(props: {
  opened: boolean;
  title: string;
  confirm: string;
  isPending: boolean;
  error: unknown;
  children: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title}>
      <Stack gap="md">
        <div>{props.children}</div>
        <ProblemNote error={props.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={props.isPending} onClick={props.onConfirm}>
            {props.confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
