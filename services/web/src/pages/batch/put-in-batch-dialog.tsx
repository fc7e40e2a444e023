import type { Batch } from "@cardvault/contract";
import { Button, Group, Modal, Select, Stack } from "@mantine/core";
import { useState } from "react";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import { useOpenBatches } from "../batches/open-batches.ts";

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
  const batches = useOpenBatches();
  const others = batches.filter(({ id }) => id !== from.id);
  return (
    <Modal opened={opened} onClose={onClose} title="Put its cards in another batch">
      <Stack gap="md">
        <Select
          label="Batch"
          placeholder={others.length === 0 ? "There is no other open batch" : "Choose one"}
          searchable
          data={others.map(({ id, name, code }) => ({ value: id, label: `${code} · ${name}` }))}
          value={chosen}
          onChange={setChosen}
        />
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
