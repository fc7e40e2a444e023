import { Button, Group } from "@mantine/core";
import { ProblemNote } from "../../../parts/problem-panel.tsx";

/** The end of a task's dialog: what went wrong, what an undo does, Cancel and the one action. */
export function TaskFoot(props: {
  confirm: string;
  isPending: boolean;
  error: unknown;
  isReady?: boolean;
  onConfirm?: () => void;
  onClose: () => void;
}) {
  const { isReady = true, onConfirm } = props;
  return (
    <>
      <p className="cell-sub task-note">
        It goes on in the background, can be undone, and names the cards that it leaves. Events
        already sent stay sent.
      </p>
      <ProblemNote error={props.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button
          type={onConfirm === undefined ? "submit" : "button"}
          disabled={!isReady}
          loading={props.isPending}
          {...(onConfirm === undefined ? {} : { onClick: onConfirm })}
        >
          {props.confirm}
        </Button>
      </Group>
    </>
  );
}
