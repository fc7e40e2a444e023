import { Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { TaskProps } from "./bulk-dialog.tsx";
import { TaskFoot } from "./task-foot.tsx";

/** Who the cards are, by their photos; a game that all of them are of narrows what is looked for. */
export function IdentifyDialog(props: TaskProps) {
  const [game, setGame] = useState("");
  return (
    <Modal opened onClose={props.onClose} title={`Identify ${props.what}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const named = game.trim();
          props.onStart({ type: "identify", ...(named === "" ? {} : { game: named }) });
        }}
      >
        <Stack gap="md">
          <div>
            Each card is read from its photos. Those that are identified already are left alone, and
            those in doubt wait in the review queue.
          </div>
          <TextInput
            label="Game"
            description="Only where all of them are of one"
            data-autofocus
            maxLength={60}
            value={game}
            onChange={(event) => setGame(event.currentTarget.value)}
          />
          <TaskFoot
            confirm="Identify"
            isPending={props.isPending}
            error={props.error}
            onClose={props.onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
