import type { DroppedDelivery } from "@cardvault/contract";
import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { refreshDeliveries } from "../../app/refresh.ts";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";

const noteMaxLength = 500;

export type DismissTarget =
  | { kind: "some"; rows: readonly DroppedDelivery[] }
  | { kind: "endpoint"; endpointId: string; url: string };

type Handlers = { onClose: () => void; onDone: () => void };

export function DismissDialog(props: Handlers & { target: DismissTarget | null }) {
  const { target, ...handlers } = props;
  return (
    <Modal opened={target !== null} onClose={handlers.onClose} title="Dismiss dropped events">
      {target === null ? null : <DismissForm target={target} {...handlers} />}
    </Modal>
  );
}

async function dismiss(target: DismissTarget, note: string): Promise<number> {
  const said = note.trim() === "" ? {} : { note: note.trim() };
  const which =
    target.kind === "endpoint"
      ? { endpoint_id: target.endpointId }
      : { delivery_ids: target.rows.map((row) => row.delivery_id) };
  return (await trpcClient.events.dismiss.mutate({ ...which, ...said })).dismissed;
}

function DismissForm({ target, onClose, onDone }: Handlers & { target: DismissTarget }) {
  const [note, setNote] = useState("");
  const submit = useMutation({
    mutationFn: () => dismiss(target, note),
    onSuccess(dismissed) {
      notifications.show({ message: `${counted(dismissed, "event")} dismissed.` });
      onDone();
    },
    onSettled: refreshDeliveries,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit.mutate();
      }}
    >
      <Stack gap="md">
        <Text style={{ overflowWrap: "anywhere" }}>
          {target.kind === "endpoint" ? (
            <>
              Every dropped event of <span className="mono">{target.url}</span> leaves this list.
            </>
          ) : (
            `${counted(target.rows.length, "event")} ${target.rows.length === 1 ? "leaves" : "leave"} this list.`
          )}{" "}
          Your receiver will not get{" "}
          {target.kind === "some" && target.rows.length === 1 ? "it" : "them"}.
        </Text>
        <Textarea
          label="Note"
          description="Optional: why, for whoever asks later"
          maxLength={noteMaxLength}
          autosize
          minRows={2}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <ProblemNote error={submit.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={submit.isPending}>
            Dismiss
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
