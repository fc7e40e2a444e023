import type { Batch } from "@cardvault/contract";
import { Button, Group, Modal, Stack } from "@mantine/core";
import { useState } from "react";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import { BatchSelect } from "../batches/batch-select.tsx";

/** Which other batch all the cards go to. */
export function PutInBatchDialog(props: {
  opened: boolean;
  from: Batch;
  isPending: boolean;
  error: unknown;
  onChosen: (batchId: string) => void;
  onClose: () => void;
}) {
  const { opened, from, onClose } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Modal opened={opened} onClose={onClose} title="Put its cards in another batch">
      <Stack gap="md">
        <BatchSelect label="Batch" except={from.id} value={chosen} onChange={setChosen} />
        <ProblemNote error={props.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={chosen === null}
            loading={props.isPending}
            onClick={() => {
              if (chosen !== null) props.onChosen(chosen);
            }}
          >
            {`Put ${counted(from.card_count, "card")} there`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
